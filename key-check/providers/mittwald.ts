import { textAt } from '../engine/answer-body.ts'
import { bearer, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'mittwald',
  title: 'mittwald',
  docs: 'https://developer.mittwald.de/docs/v2/reference/user/user-get-user/',
  keyPage: 'https://studio.mittwald.de/app/profile/api-tokens',
  baseUrl: 'https://api.mittwald.de/v2',
  keyTypes: { api_token: { label: 'API token', email: 'unused' } },
  certainty: 'client code',
  remarks: 'No source shows what tells a wrong token from one without the right to read, so no refusal decides.',
  request: bearer('/users/self'),
  classify({ status, body }) {
    // The answer holds personal data: this member is read and nothing else.
    return status === 200 && textAt(body, 'userId') ? valid() : undetermined('unexpected_answer')
  },
})
