import { objectAt, textAt, valueAt } from '../engine/answer-body.ts'
import { invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'mijnhost',
  title: 'mijn.host',
  docs: 'https://mijn.host/api/doc/',
  keyPage: 'https://mijn.host/cp/account/api/',
  baseUrl: 'https://mijn.host/api/v2',
  keyTypes: { api_key: { label: 'API key', email: 'unused' } },
  certainty: 'client code',
  remarks: 'The text of a 401 was not found, so its form decides.',
  request: ({ apiKey }) => ({ path: '/domains', headers: { 'api-key': apiKey } }),
  classify({ status, body }) {
    const stated = valueAt(body, 'status')
    if (status === 200 && stated === 200 && objectAt(body, 'data')) return valid()
    if (status === 401 && stated === 401 && textAt(body, 'status_description')) return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
