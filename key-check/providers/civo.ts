import { listOf, textAt } from '../engine/answers.ts'
import { bearer, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'civo',
  title: 'Civo',
  docs: 'https://www.civo.com/api/dns',
  keyPage: 'https://dashboard.civo.com/security',
  baseUrl: 'https://api.civo.com',
  keyTypes: { api_key: { label: 'API key' } },
  certainty: 'client code',
  remarks: "Path and rejection come from Civo's client and from a test of another client.",
  firstRead: { grows: 'with all zones' },
  request: bearer('/v2/dns'),
  classify({ status, body }) {
    const code = textAt(body, 'code')
    if (status === 200 && listOf(body, '', 'name')) return valid()
    if (status === 401 && code === 'database_account_not_found') return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
