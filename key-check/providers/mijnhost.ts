import { objectAt, valueAt } from '../engine/answers.ts'
import { provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'mijnhost',
  title: 'mijn.host',
  docs: 'https://mijn.host/api/doc/',
  keyPage: 'https://mijn.host/cp/account/api/',
  baseUrl: 'https://mijn.host/api/v2',
  keyTypes: { api_key: { label: 'API key' } },
  certainty: 'client code',
  remarks: 'No source documents a rejected key, so a rejection proves nothing.',
  firstRead: { grows: 'with all zones' },
  request: ({ apiKey }) => ({ path: '/domains', headers: { 'api-key': apiKey } }),
  classify({ status, body }) {
    const stated = valueAt(body, 'status')
    if (status === 200 && stated === 200 && objectAt(body, 'data')) return valid()
    return undetermined('unexpected_answer')
  },
})
