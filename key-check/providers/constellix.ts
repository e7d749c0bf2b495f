import { listOf, valueAt } from '../engine/answer-body.ts'
import { provider, undetermined, valid } from '../engine/provider.ts'
import { constellixHeaders } from '../engine/signatures.ts'

export default provider({
  id: 'constellix',
  title: 'Constellix',
  docs: 'https://api-docs.constellix.com/',
  keyPage: 'https://manage.constellix.com/user/apikeys',
  baseUrl: 'https://api.dns.constellix.com',
  keyTypes: {
    api_key: {
      label: 'API key',
      keyLabel: 'secret key',
      email: 'unused',
      parts: { apiKeyId: { label: 'API key' } },
    },
  },
  certainty: 'client code',
  remarks: 'The rejections that clients expect come from test doubles, so a rejection proves nothing.',
  callsPerSecondMax: 1,
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: ({ apiKey, parts: { apiKeyId = '' } }, { nowMs }) => ({
    path: '/v1/domains?max=1&offset=0',
    headers: constellixHeaders(apiKeyId, apiKey, nowMs),
  }),
  classify({ status, body }) {
    const domains = listOf(body, '', 'name')
    const isList = domains?.every((domain) => typeof valueAt(domain, 'id') === 'number')
    return status === 200 && isList ? valid() : undetermined('unexpected_answer')
  },
})
