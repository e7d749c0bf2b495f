import { invalid, provider, textAt, undetermined, valid, valueAt } from '../engine/provider.ts'

export default provider({
  id: 'dynu',
  title: 'Dynu',
  docs: 'https://www.dynu.com/Support/API',
  keyPage: 'https://www.dynu.com/ControlPanel/APICredentials',
  baseUrl: 'https://api.dynu.com',
  keyTypes: { api_key: { label: 'API key', email: 'unused' } },
  certainty: 'guess',
  remarks: 'The refusal is a guess; path and header come from a client.',
  request: ({ apiKey }) => ({ path: '/v2/dns', headers: { 'api-key': apiKey } }),
  classify({ status, body }) {
    const stated = valueAt(body, 'statusCode')
    if (status === 200 && stated === 200) return valid()
    if (status === 401 && stated === 401 && textAt(body, 'type').startsWith('Authentication'))
      return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
