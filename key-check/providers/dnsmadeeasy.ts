import { listAt, valueAt } from '../engine/answer-body.ts'
import { provider, undetermined, valid } from '../engine/provider.ts'
import { dnsMadeEasyHeaders } from '../engine/signatures.ts'

export default provider({
  id: 'dnsmadeeasy',
  title: 'DNS Made Easy',
  docs: 'https://api-docs.dnsmadeeasy.com/',
  keyPage: 'https://cp.dnsmadeeasy.com/account/info',
  baseUrl: 'https://api.dnsmadeeasy.com',
  keyTypes: {
    api_key: {
      label: 'API key',
      keyLabel: 'secret key',
      email: 'unused',
      parts: { apiKeyId: { label: 'API key' } },
    },
  },
  certainty: 'client code',
  remarks:
    'The rejections that clients expect come from test doubles, so a rejection proves nothing. Documented: 150 calls in 5 minutes.',
  callsPerSecondMax: 0.5,
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: ({ apiKey, parts: { apiKeyId = '' } }, { nowMs }) => ({
    path: '/V2.0/dns/managed/?rows=1',
    headers: dnsMadeEasyHeaders(apiKeyId, apiKey, nowMs),
  }),
  classify({ status, body }) {
    if (status === 200 && listAt(body, 'data') && typeof valueAt(body, 'totalRecords') === 'number') return valid()
    return undetermined('unexpected_answer')
  },
})
