import { textAt, valueAt } from '../engine/answers.ts'
import { provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'gcore',
  title: 'Gcore',
  docs: 'https://gcore.com/docs/developer-tools/rest-api/authentication',
  keyPage: 'https://accounts.gcore.com/profile/api-tokens',
  baseUrl: 'https://api.gcore.com',
  keyTypes: { api_token: { label: 'permanent API token' } },
  certainty: 'documented',
  remarks: 'No source shows the text of a rejection, so a rejection proves nothing.',
  firstRead: { grows: 'never' },
  request: ({ apiKey }) => ({ path: '/iam/users/me', headers: { authorization: `APIKey ${apiKey}` } }),
  classify({ status, body }) {
    if (status === 200 && typeof valueAt(body, 'id') === 'number' && textAt(body, 'email')) return valid()
    return undetermined('unexpected_answer')
  },
})
