import { listAt, valueAt } from '../engine/answers.ts'
import { provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'dynu',
  title: 'Dynu',
  docs: 'https://www.dynu.com/Support/API',
  keyPage: 'https://www.dynu.com/ControlPanel/APICredentials',
  baseUrl: 'https://api.dynu.com',
  keyTypes: { api_key: { label: 'API key' } },
  certainty: 'documented',
  remarks: 'Path and header are documented. No source documents a rejection, so a rejection proves nothing.',
  firstRead: { grows: 'with all zones' },
  request: ({ apiKey }) => ({ path: '/v2/dns', headers: { 'api-key': apiKey } }),
  classify({ status, body }) {
    const stated = valueAt(body, 'statusCode')
    if (status === 200 && stated === 200 && listAt(body, 'domains')) return valid()
    return undetermined('unexpected_answer')
  },
})
