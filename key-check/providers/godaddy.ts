import { listOf, textAt } from '../engine/answer-body.ts'
import { invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'godaddy',
  title: 'GoDaddy',
  docs: 'https://developer.godaddy.com/doc/endpoint/domains#/v1/list',
  keyPage: 'https://developer.godaddy.com/keys',
  baseUrl: 'https://api.godaddy.com',
  keyTypes: {
    api_key: {
      label: 'API key',
      keyLabel: 'API secret',
      email: 'unused',
      parts: { apiKeyId: { label: 'API key' } },
    },
  },
  certainty: 'logged',
  remarks:
    'Keys of the test environment (OTE) are not known to the production API, which is asked here. GoDaddy allows its API only to accounts ' +
    'with ten domains or a membership of the Discount Domain Club; the keys of others are genuine all the same.',
  // Documented: 60 calls a minute.
  callsPerSecondMax: 0.8,
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: ({ apiKey, parts: { apiKeyId = '' } }) => ({
    path: '/v1/domains?limit=1',
    headers: { authorization: `sso-key ${apiKeyId}:${apiKey}` },
  }),
  classify({ status, body }) {
    const code = textAt(body, 'code')
    if (status === 200 && listOf(body, '', 'domain')) return valid()
    if (status === 401 && code === 'UNABLE_TO_AUTHENTICATE') return invalid('wrong_parts')
    if (status === 403 && code === 'ACCESS_DENIED') return valid('account_not_entitled')
    return undetermined('unexpected_answer')
  },
})
