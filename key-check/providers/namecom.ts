import { textAt } from '../engine/answer-body.ts'
import { basic, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'namecom',
  title: 'name.com',
  docs: 'https://www.name.com/api-docs/hello',
  keyPage: 'https://www.name.com/account/settings/api',
  baseUrl: 'https://api.name.com',
  keyTypes: {
    api_key: { label: 'API token', email: 'unused', parts: { username: { label: 'user name' } } },
  },
  certainty: 'client code',
  remarks:
    'The refusal of a wrong pair was logged at the test host only, where it is the same as that of a limited token, so none decides.',
  request: ({ apiKey, parts: { username = '' } }) => ({
    path: '/v4/hello',
    headers: { authorization: basic(username, apiKey) },
  }),
  classify({ status, body }) {
    if (status === 200 && textAt(body, 'username')) return valid()
    return undetermined('unexpected_answer')
  },
})
