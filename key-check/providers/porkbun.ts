import { textAt } from '../engine/answer-body.ts'
import { invalid, provider, undetermined, valid } from '../engine/provider.ts'

const keyForms = 'StackExchange/dnscontrol, 2026-11 (the prefixes); the length is a guess'

export default provider({
  id: 'porkbun',
  title: 'Porkbun',
  docs: 'https://porkbun.com/api/json/v3/documentation#Authentication',
  keyPage: 'https://porkbun.com/account/api',
  baseUrl: 'https://api.porkbun.com',
  keyTypes: {
    api_key: {
      label: 'API key',
      keyLabel: 'secret API key',
      email: 'unused',
      publishedForm: { pattern: '^sk1_\\w{16,128}$', source: keyForms },
      parts: {
        apiKeyId: {
          label: 'API key',
          pattern: '^pk1_',
          example: 'pk1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
          publishedForm: { pattern: '^pk1_\\w{16,128}$', source: keyForms },
        },
      },
    },
  },
  certainty: 'logged',
  remarks:
    'Porkbun does not say which of the two keys is wrong. API access is also enabled per domain, which this check does not see.',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  // Porkbun accepts the keys only in the body.
  request: ({ apiKey, parts: { apiKeyId = '' } }) => ({
    path: '/api/json/v3/ping',
    headers: {},
    body: JSON.stringify({ apikey: apiKeyId, secretapikey: apiKey }),
  }),
  classify({ status, body }) {
    const result = textAt(body, 'status')
    if (status === 200 && result === 'SUCCESS' && textAt(body, 'yourIp')) return valid()
    if (status === 400 && result === 'ERROR' && textAt(body, 'message').startsWith('Invalid API key.'))
      return invalid('wrong_parts')
    return undetermined('unexpected_answer')
  },
})
