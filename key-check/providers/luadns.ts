import { textAt } from '../engine/answer-body.ts'
import { basic, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'luadns',
  title: 'LuaDNS',
  docs: 'https://luadns.com/api.html',
  keyPage: 'https://api.luadns.com/settings',
  baseUrl: 'https://api.luadns.com',
  keyTypes: { api_key: { label: 'API token', email: 'required' } },
  certainty: 'logged',
  remarks: 'A 403 was recorded for a malformed request, so it proves nothing.',
  documentedRate: { calls: 1_200, seconds: 300, source: 'https://luadns.com/api.html' },
  callsPerSecondMax: 3,
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: ({ apiKey, email }) => ({ path: '/v1/users/me', headers: { authorization: basic(email, apiKey) } }),
  classify({ status, body }) {
    const isRefusal = textAt(body, 'message') !== '' && textAt(body, 'request_id') !== ''
    if (status === 200 && textAt(body, 'email')) return valid()
    if (status === 401 && isRefusal) return invalid('wrong_pair')
    return undetermined('unexpected_answer')
  },
})
