import { textAt, valueAt } from '../engine/answers.ts'
import { basic, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'mythicbeasts',
  title: 'Mythic Beasts',
  docs: 'https://www.mythic-beasts.com/support/api/auth#sec-obtaining-a-token',
  keyPage: 'https://www.mythic-beasts.com/customer/api-users',
  baseUrl: 'https://auth.mythic-beasts.com',
  keyTypes: { api_key: { label: 'API key', keyLabel: 'API secret', parts: { keyId: { label: 'API key ID' } } } },
  certainty: 'client code',
  remarks:
    'The key is exchanged for a token, which is discarded. This proves that it is genuine and active. It does not show its permissions on zones. ' +
    'The answer does not say which of the two parts is wrong.',
  firstRead: { grows: 'never' },
  request: ({ apiKey, parts: { keyId = '' } }) => ({
    path: '/login',
    headers: { authorization: basic(keyId, apiKey) },
    form: { grant_type: 'client_credentials' },
  }),
  classify({ status, body }) {
    const isToken = textAt(body, 'access_token') && textAt(body, 'token_type') === 'bearer'
    if (status === 200 && isToken && typeof valueAt(body, 'expires_in') === 'number') return valid()
    // RFC 6749 §5.2: client authentication failed.
    if ((status === 400 || status === 401) && textAt(body, 'error') === 'invalid_client') return invalid('wrong_parts')
    return undetermined('unexpected_answer')
  },
})
