import { objectAt, textAt } from '../engine/answer-body.ts'
import { bearer, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'infomaniak',
  title: 'Infomaniak',
  docs: 'https://developer.infomaniak.com/docs/api',
  keyPage: 'https://manager.infomaniak.com/v3/ng/profile/user/token/list',
  baseUrl: 'https://api.infomaniak.com',
  keyTypes: { api_token: { label: 'API token', email: 'unused' } },
  certainty: 'guess',
  remarks:
    'The path is a guess; the form of the answers comes from tests of a client. No source shows the code of a rejection, so a rejection proves nothing.',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: bearer('/1/profile'),
  classify({ status, body }) {
    const result = textAt(body, 'result')
    if (status === 200 && result === 'success' && objectAt(body, 'data')) return valid()
    return undetermined('unexpected_answer')
  },
})
