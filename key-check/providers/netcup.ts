import { listOf, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import { bearer, bearerFor, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'netcup',
  title: 'netcup',
  docs: 'https://api.netcup.com/v1/openapi.json',
  keyPage: 'https://www.customercontrolpanel.de/',
  baseUrl: 'https://api.netcup.com/v1',
  keyTypes: { api_key: { label: 'API key' } },
  certainty: 'client code',
  remarks:
    'Only keys of the REST API. A legacy key needs a sign-in as the owner, which no check makes. No source shows the answer to a wrong key, so a ' +
    'rejection proves nothing.',
  firstRead: { grows: 'never' },
  abilities: {
    zone: {
      request: bearerFor((zone) => `/domain?fqdn=${zone}`),
      find({ status, body }, { zone }) {
        const domains = status === 200 ? domainsIn(body) : undefined
        if (!domains || domains.length > 1) return undefined
        const [domain] = domains
        if (domain === undefined) return { hasZone: false }
        if (textAt(domain, 'fqdn') !== zone) return undefined
        // The API reaches only zones in CloudDNS (acmesh-official/acme.sh#7214).
        return valueAt(domain, 'isDnsManaged') === false
          ? { hasZone: false, capabilities: { missing: ['CloudDNS for this domain'] } }
          : { hasZone: true }
      },
    },
  },
  request: bearer('/domain?page=1&perPage=20'),
  classify({ status, body }) {
    const domains = status === 200 ? domainsIn(body) : undefined
    if (!domains) return undetermined('unexpected_answer')
    const names = domains.map((domain) => textAt(domain, 'fqdn'))
    return valid(undefined, {}, zonesIn(names, { total: valueAt(body, 'meta.pagination.totalEntries') }))
  },
})

function domainsIn(body: unknown): readonly unknown[] | undefined {
  return valueAt(body, 'success') === true ? listOf(body, 'result', 'fqdn') : undefined
}
