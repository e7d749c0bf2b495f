import { listOf, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import { bearer, bearerFor, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'transip',
  title: 'TransIP',
  docs: 'https://api.transip.nl/rest/docs.html#api-test',
  keyPage: 'https://www.transip.nl/cp/account/api/',
  baseUrl: 'https://api.transip.nl',
  keyTypes: { api_token: { label: 'access token' } },
  certainty: 'logged',
  remarks:
    "Access tokens only: checking a private key would add a token to the owner's list. The text for an unknown token is not known " +
    'and proves nothing. No read shows whether a token is read-only. Answers with a domain have its transfer code, which is never read.',
  firstRead: { grows: 'never' },
  // A token is not limited to some domains.
  abilities: {
    list: {
      request: bearer('/v6/domains?page=1&pageSize=25'),
      find({ status, body }) {
        const domains = listOf(body, 'domains', 'isDnsOnly')
        // No source shows an empty list.
        if (status !== 200 || !domains || domains.length === 0) return undefined
        const names = domains.map((domain) => textAt(domain, 'name'))
        return { capabilities: zonesIn(names, { hasMore: names.length >= 25 }, 'dns:read') }
      },
    },
    zone: {
      request: bearerFor((zone) => `/v6/domains/${zone}`),
      find({ status, body }, { zone }) {
        const isDomain = textAt(body, 'domain.name') === zone && typeof valueAt(body, 'domain.isDnsOnly') === 'boolean'
        if (status === 200 && isDomain) return { hasZone: true, capabilities: { abilities: ['dns:read'] } }
        const isMissing = status === 404 && textAt(body, 'error') === `Domain with name '${zone}' not found`
        return isMissing ? { hasZone: false } : undefined
      },
    },
  },
  request: bearer('/v6/api-test'),
  classify({ status, body }) {
    const error = textAt(body, 'error')
    if (status === 200 && textAt(body, 'ping') === 'pong') return valid()
    if (status === 401 && error === 'Your access token has been revoked.')
      return invalid('not_active', { status: 'revoked' })
    if (status === 401 && error === 'Your access token has expired.') return invalid('expired')
    if (status === 401 && error.startsWith('Remote IP is not authorized for this request')) return valid('ip_filtered')
    return undetermined('unexpected_answer')
  },
})
