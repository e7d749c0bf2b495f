import { listAt } from '../engine/answers.ts'
import { provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'arvancloud',
  title: 'ArvanCloud',
  docs: 'https://www.arvancloud.ir/api/cdn/4.0',
  keyPage: 'https://panel.arvancloud.ir/profile/machine-user',
  baseUrl: 'https://napi.arvancloud.ir',
  keyTypes: { api_key: { label: 'API key' } },
  certainty: 'client code',
  remarks:
    "Path and header come from ArvanCloud's client. No source documents a rejection, so a rejection proves nothing.",
  firstRead: { grows: 'never' },
  request: ({ apiKey }) => ({ path: '/cdn/4.0/domains?per_page=1', headers: { authorization: `Apikey ${apiKey}` } }),
  classify({ status, body }) {
    if (status === 200 && listAt(body, 'data')) return valid()
    return undetermined('unexpected_answer')
  },
})
