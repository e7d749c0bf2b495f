import { textAt } from '../engine/answers.ts'
import { bearer, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'mittwald',
  title: 'mittwald',
  docs: 'https://developer.mittwald.de/docs/v2/reference/user/user-get-user/',
  keyPage: 'https://studio.mittwald.de/app/profile/api-tokens',
  baseUrl: 'https://api.mittwald.de/v2',
  keyTypes: { api_token: { label: 'API token' } },
  certainty: 'client code',
  remarks:
    'No source shows how the answer to a wrong token differs from one without read permission, so a rejection proves nothing.',
  firstRead: { grows: 'never' },
  request: bearer('/users/self'),
  classify({ status, body }) {
    // The answer contains personal data. Only this member is read.
    return status === 200 && textAt(body, 'userId') ? valid() : undetermined('unexpected_answer')
  },
})
