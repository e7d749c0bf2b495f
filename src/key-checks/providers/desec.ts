import { invalid, provider, textAt, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'desec',
  title: 'deSEC',
  docs: 'https://desec.readthedocs.io/en/latest/auth/account.html',
  keyPage: 'https://desec.io/tokens',
  baseUrl: 'https://desec.io/api/v1',
  keyTypes: { api_token: { label: 'token', email: 'unused' } },
  certainty: 'documented',
  remarks:
    'deSEC answers the same for a wrong token, an expired one, and one that may not be used from the address of this ' +
    'service: the message says so. Rate limits are documented as counted by account: a 429 holds back that token alone.',
  request: ({ apiKey }) => ({ path: '/auth/account/', headers: { authorization: `Token ${apiKey}` } }),
  classify({ status, body }) {
    const detail = textAt(body, 'detail')
    if (status === 200 && textAt(body, 'email')) return valid()
    if (status === 401 && detail === 'Invalid token.') return invalid('not_accepted_from_here')
    if (status === 403 && detail) return valid('limited_permissions')
    // Counted by account (https://desec.readthedocs.io/en/latest/rate-limits.html).
    if (status === 429 && detail) return undetermined('key_rate_limited')
    return undetermined('unexpected_answer')
  },
})
