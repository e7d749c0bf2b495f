import { listOf, textAt } from '../engine/answer-body.ts'
import { invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'ionos',
  title: 'IONOS',
  docs: 'https://developer.hosting.ionos.com/docs/dns',
  keyPage: 'https://developer.hosting.ionos.com/keys',
  baseUrl: 'https://api.hosting.ionos.com',
  keyTypes: { api_key: { label: 'API key (prefix.secret)', email: 'unused' } },
  certainty: 'client code',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: ({ apiKey }) => ({ path: '/dns/v1/zones', headers: { 'x-api-key': apiKey } }),
  classify({ status, body }) {
    const code = textAt(body, '0.code')
    if (status === 200 && listOf(body, '', 'name')) return valid()
    if (status === 401 && code === 'UNAUTHORIZED') return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
