import { objectAt, textAt, valueAt } from '../engine/answers.ts'
import { invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'njalla',
  title: 'Njalla',
  docs: 'https://njal.la/api/',
  keyPage: 'https://njal.la/settings/api/',
  baseUrl: 'https://njal.la',
  keyTypes: { api_token: { label: 'API token' } },
  certainty: 'client code',
  remarks: 'JSON-RPC: the call is a POST, but the method only reads.',
  firstRead: { grows: 'with all zones' },
  request: ({ apiKey }) => ({
    path: '/api/1/',
    headers: { authorization: `Njalla ${apiKey}` },
    body: JSON.stringify({ jsonrpc: '2.0', method: 'list-domains', params: {}, id: '1' }),
  }),
  classify({ status, body }) {
    // One recorded answer has the member in capitals.
    const error = objectAt(body, 'error') ?? objectAt(body, 'Error')
    if (status === 200 && objectAt(body, 'result') && !error) return valid()
    // The status is 200 even for a rejection.
    if (status === 200 && valueAt(error, 'code') === 403 && textAt(error, 'message').startsWith('Invalid token'))
      return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
