import { listOf, textAt, zonesIn } from '../engine/answers.ts'
import { provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'desec',
  title: 'deSEC',
  docs: 'https://desec.readthedocs.io/en/latest/dns/domains.html',
  keyPage: 'https://desec.io/tokens',
  baseUrl: 'https://desec.io/api/v1',
  keyTypes: { api_token: { label: 'token' } },
  certainty: 'documented',
  remarks:
    'deSEC gives the same answer for a wrong token, an expired one, and one that may not be used from the address of this ' +
    'server, so its 401 proves nothing. Rate limits are documented per account, so a 429 holds back that token only.',
  // Per account. Rejected tokens count per address, 2,000 a day.
  documentedRate: { calls: 10, seconds: 1, source: 'https://desec.readthedocs.io/en/latest/rate-limits.html' },
  callsPerSecondMax: 5,
  firstRead: { grows: 'with all zones' },
  abilities: 'in the first answer',
  request: ({ apiKey }) => ({ path: '/domains/', headers: { authorization: `Token ${apiKey}` } }),
  classify({ status, body }) {
    const detail = textAt(body, 'detail')
    // Works for any token; only tokens that manage tokens can read the account.
    const domains = listOf(body, '', 'name')
    // A list of more than 500 would be paged, so this one is complete.
    if (status === 200 && domains) {
      const names = domains.map((domain) => textAt(domain, 'name'))
      return valid(undefined, {}, zonesIn(names, { hasMore: false }, 'dns:read'))
    }
    // Counted per account (https://desec.readthedocs.io/en/latest/rate-limits.html).
    if (status === 429 && detail) return undetermined('key_rate_limited')
    return undetermined('unexpected_answer')
  },
})
