import { textAt } from '../engine/answer-body.ts'
import { basic, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'namecom',
  title: 'name.com',
  docs: 'https://www.name.com/api-docs/hello',
  keyPage: 'https://www.name.com/account/settings/api',
  baseUrl: 'https://api.name.com',
  keyTypes: {
    api_key: { label: 'API token', email: 'unused', parts: { username: { label: 'user name', isChosen: true } } },
  },
  certainty: 'client code',
  remarks:
    'The rejection of a wrong pair was logged only at the test host, where a limited token gets the same answer, so a rejection proves nothing.',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: ({ apiKey, parts: { username = '' } }) => ({
    path: '/v4/hello',
    headers: { authorization: basic(username, apiKey) },
  }),
  classify({ status, body }) {
    if (status === 200 && textAt(body, 'username')) return valid()
    return undetermined('unexpected_answer')
  },
})
