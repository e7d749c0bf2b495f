import { listOf } from '../engine/answer-body.ts'
import { provider, undetermined, valid } from '../engine/provider.ts'
import { exo2 } from '../engine/signatures.ts'

const path = '/v2/zone'

export default provider({
  id: 'exoscale',
  title: 'Exoscale',
  docs: 'https://openapi-v2.exoscale.com/operation/operation-list-zones',
  keyPage: 'https://portal.exoscale.com/iam/keys',
  baseUrl: 'https://api-ch-gva-2.exoscale.com',
  keyTypes: {
    api_key: {
      label: 'API key',
      keyLabel: 'API secret',
      email: 'unused',
      parts: {
        apiKeyId: {
          label: 'API key',
          pattern: '^EXO',
          example: 'EXOexample',
          publishedForm: { pattern: '^EXO[0-9A-Za-z]{24}$', source: 'exoscale/egoscale v3 test fixtures @d767924' },
        },
      },
    },
  },
  certainty: 'client code',
  remarks:
    'A 403 can mean a wrong key, a limited key or a wrong clock, and no text distinguishes them, so a 403 proves nothing.',
  // The list of data centers.
  firstRead: { grows: 'never' },
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: ({ apiKey, parts: { apiKeyId = '' } }, { nowMs }) => ({
    path,
    headers: exo2(apiKeyId, apiKey, path, nowMs + 600_000),
  }),
  classify({ status, body }) {
    const zones = listOf(body, 'zones', 'name')
    return status === 200 && zones && zones.length > 0 ? valid() : undetermined('unexpected_answer')
  },
})
