import { listOf, textAt } from '../engine/answer-body.ts'
import { zonesIn } from '../engine/capabilities.ts'
import { provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'desec',
  title: 'deSEC',
  docs: 'https://desec.readthedocs.io/en/latest/dns/domains.html',
  keyPage: 'https://desec.io/tokens',
  baseUrl: 'https://desec.io/api/v1',
  keyTypes: { api_token: { label: 'token', email: 'unused' } },
  certainty: 'documented',
  remarks:
    'deSEC answers the same for a wrong token, an expired one, and one that may not be used from the address of this ' +
    'service, so its 401 decides nothing. Rate limits are documented as counted by account: a 429 holds back that token alone.',
  // For an account; refused tokens count for the address, 2,000 a day.
  documentedRate: { calls: 10, seconds: 1, source: 'https://desec.readthedocs.io/en/latest/rate-limits.html' },
  callsPerSecondMax: 5,
  request: ({ apiKey }) => ({ path: '/domains/', headers: { authorization: `Token ${apiKey}` } }),
  classify({ status, body }) {
    const detail = textAt(body, 'detail')
    // Of any token; the account itself is shown only to those that manage tokens.
    const domains = listOf(body, '', 'name')
    // Of more than 500, the list has to be asked for in pages: this one is whole.
    if (status === 200 && domains)
      return valid(
        undefined,
        {},
        zonesIn(
          domains.map((domain) => textAt(domain, 'name')),
          domains.length,
        ),
      )
    // Counted by account (https://desec.readthedocs.io/en/latest/rate-limits.html).
    if (status === 429 && detail) return undetermined('key_rate_limited')
    return undetermined('unexpected_answer')
  },
})
