import { listOf, valueAt } from '../engine/answer-body.ts'
import { provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'spaceship',
  title: 'Spaceship',
  docs: 'https://docs.spaceship.dev/#tag/Domains/operation/getDomainList',
  keyPage: 'https://www.spaceship.com/application/api-manager/',
  baseUrl: 'https://spaceship.dev/api',
  keyTypes: {
    api_key: {
      label: 'API key',
      keyLabel: 'API secret',
      email: 'unused',
      parts: { apiKeyId: { label: 'API key' } },
    },
  },
  certainty: 'client code',
  remarks:
    'No source shows the answer to a wrong key, and a key without permission to read domains is rejected too, so a rejection proves nothing.',
  // Documented: 300 calls in 300 seconds.
  callsPerSecondMax: 0.8,
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: ({ apiKey, parts: { apiKeyId = '' } }) => ({
    path: '/v1/domains?take=1&skip=0',
    headers: { 'x-api-key': apiKeyId, 'x-api-secret': apiKey },
  }),
  classify({ status, body }) {
    if (status === 200 && listOf(body, 'items', 'name') && typeof valueAt(body, 'total') === 'number') return valid()
    return undetermined('unexpected_answer')
  },
})
