import { objectAt, textAt } from '../engine/answers.ts'
import { bearer, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'timewebcloud',
  title: 'Timeweb Cloud',
  docs: 'https://timeweb.cloud/api-docs',
  keyPage: 'https://timeweb.cloud/my/api-keys',
  baseUrl: 'https://api.timeweb.cloud',
  keyTypes: { api_token: { label: 'API token' } },
  certainty: 'client code',
  remarks: "The path comes from Timeweb Cloud's client; the rejection comes from a test of a client.",
  firstRead: { grows: 'never' },
  request: bearer('/api/v1/account/status'),
  classify({ status, body }) {
    const code = textAt(body, 'error_code')
    if (status === 200 && objectAt(body, 'status')) return valid()
    if (status === 401 && code === 'unauthorized') return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
