import { textAt } from '../engine/answer-body.ts'
import { bearer, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'transip',
  title: 'TransIP',
  docs: 'https://api.transip.nl/rest/docs.html#api-test',
  keyPage: 'https://www.transip.nl/cp/account/api/',
  baseUrl: 'https://api.transip.nl',
  keyTypes: { api_token: { label: 'access token', email: 'unused' } },
  certainty: 'logged',
  remarks:
    "Access tokens only: checking a private key would add a token to the owner's list. The text for an unknown token is not known " +
    'and proves nothing.',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
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
