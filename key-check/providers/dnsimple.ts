import { objectAt, textAt } from '../engine/answer-body.ts'
import { bearer, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'dnsimple',
  title: 'DNSimple',
  docs: 'https://developer.dnsimple.com/v2/identity/',
  keyPage: 'https://dnsimple.com/user',
  baseUrl: 'https://api.dnsimple.com',
  keyTypes: { api_token: { label: 'API access token', email: 'unused' } },
  certainty: 'documented',
  // Per account; without a valid token 30 calls an hour per address.
  documentedRate: { calls: 2_400, seconds: 3_600, source: 'https://developer.dnsimple.com/v2/#rate-limiting' },
  callsPerSecondMax: 0.5,
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: bearer('/v2/whoami'),
  classify({ status, body }) {
    const message = textAt(body, 'message')
    if (status === 200 && (objectAt(body, 'data.account') || objectAt(body, 'data.user'))) return valid()
    if (status === 401 && message === 'Authentication failed') return invalid('not_recognised')
    if (status === 403 && message.startsWith('Permission Denied')) return valid('limited_permissions')
    return undetermined('unexpected_answer')
  },
})
