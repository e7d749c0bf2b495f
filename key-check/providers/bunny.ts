import { listAt } from '../engine/answer-body.ts'
import { invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'bunny',
  title: 'bunny.net',
  docs: 'https://docs.bunny.net/api-reference/authentication',
  keyPage: 'https://dash.bunny.net/account/api-key',
  baseUrl: 'https://api.bunny.net',
  keyTypes: { api_key: { label: 'account API key', email: 'unused' } },
  certainty: 'documented',
  remarks:
    'The text of a 401 is documented. A 401 without text proves nothing, nor does a 403. Keys of storage zones and of Stream are not supported.',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: ({ apiKey }) => ({ path: '/dnszone?page=1&perPage=5', headers: { accesskey: apiKey } }),
  classify({ status, body, text }) {
    if (status === 200 && listAt(body, 'Items')) return valid()
    if (status === 401 && /authorization for the request has (?:failed|been denied)/i.test(text))
      return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
