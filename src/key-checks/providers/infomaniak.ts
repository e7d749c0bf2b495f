import { bearer, invalid, provider, textAt, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'infomaniak',
  title: 'Infomaniak',
  docs: 'https://developer.infomaniak.com/docs/api',
  keyPage: 'https://manager.infomaniak.com/v3/ng/profile/user/token/list',
  baseUrl: 'https://api.infomaniak.com',
  keyTypes: { api_token: { label: 'API token', email: 'unused' } },
  certainty: 'guess',
  remarks: 'The path and the code of a refusal are guesses; the form of the answers comes from tests of a client.',
  request: bearer('/1/profile'),
  classify({ status, body }) {
    const result = textAt(body, 'result')
    const code = textAt(body, 'error.code')
    if (status === 200 && result === 'success') return valid()
    if (status === 401 && result === 'error' && code === 'not_authorized') return invalid('not_recognised')
    if (status === 403 && result === 'error' && code) return valid('limited_permissions')
    return undetermined('unexpected_answer')
  },
})
