import { textAt } from '../engine/answers.ts'
import { basic, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'keycdn',
  title: 'KeyCDN',
  docs: 'https://www.keycdn.com/api',
  keyPage: 'https://app.keycdn.com/users/authSettings',
  baseUrl: 'https://api.keycdn.com',
  keyTypes: { api_key: { label: 'secret API key' } },
  certainty: 'documented',
  firstRead: { grows: 'with all zones' },
  request: ({ apiKey }) => ({ path: '/zones.json', headers: { authorization: basic(apiKey, '') } }),
  classify({ status, body }) {
    const result = textAt(body, 'status')
    if (status === 200 && result === 'success') return valid()
    // The documentation calls this "access denied".
    if (status === 403 && result === 'error' && textAt(body, 'description')) return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
