import { listOf, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import { bearer, bearerFor, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'digitalocean',
  title: 'DigitalOcean',
  docs: 'https://docs.digitalocean.com/reference/api/digitalocean/#tag/Domains',
  keyPage: 'https://cloud.digitalocean.com/account/api/tokens',
  baseUrl: 'https://api.digitalocean.com',
  keyTypes: {
    api_token: {
      label: 'personal access token',
      publishedForm: {
        pattern: '^dop_v1_[0-9a-f]{64}$',
        source: 'gitleaks/gitleaks cmd/generate/config/rules/digitalocean.go @5eda8a0',
      },
    },
  },
  certainty: 'documented',
  remarks: 'The check lists one domain, because a token for DNS need not have the scope account:read.',
  // An entry has the whole zone file of its domain.
  firstRead: { needs: 'domain:read', grows: 'with one zone' },
  abilities: {
    zone: {
      request: bearerFor((zone) => `/v2/domains/${zone}`),
      find({ status, body }, { zone }) {
        if (status === 200 && textAt(body, 'domain.name') === zone) return { hasZone: true }
        return status === 404 && textAt(body, 'id') === 'not_found' ? { hasZone: false } : undefined
      },
    },
  },
  permissions: { 'zones:list': 'domain:read', 'dns:read': 'domain:read', 'dns:edit': 'domain:create, domain:update' },
  request: bearer('/v2/domains?per_page=1'),
  classify({ status, body, isCutOff }) {
    const code = textAt(body, 'id').toLowerCase()
    const domains = listOf(body, 'domains', 'name')
    const total = valueAt(body, 'meta.total')
    if (status === 200 && domains && (typeof total === 'number' || isCutOff)) {
      const names = domains.map((domain) => valueAt(domain, 'name'))
      // The scope is the same for domains and for their records.
      return valid(undefined, {}, zonesIn(names, { total }, 'dns:read'))
    }
    if (status === 401 && code === 'unauthorized') return invalid('not_recognised')
    if (status === 403 && code === 'forbidden')
      return valid('limited_permissions', {}, { lacks: ['zones:list', 'dns:read'] })
    return undetermined('unexpected_answer')
  },
})
