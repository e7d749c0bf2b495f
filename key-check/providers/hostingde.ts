import { listAt, textAt, valueAt } from '../engine/answers.ts'
import { invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'hostingde',
  title: 'hosting.de',
  docs: 'https://www.hosting.de/api/#listing-zoneconfigs',
  keyPage: 'https://secure.hosting.de/profile',
  baseUrl: 'https://secure.hosting.de',
  keyTypes: { api_key: { label: 'API key' } },
  certainty: 'client code',
  remarks: 'A key without permission to list zones gets a separate error, which is unknown and proves nothing.',
  firstRead: { grows: 'never' },
  // hosting.de accepts the key only in the body.
  request: ({ apiKey }) => ({
    path: '/api/dns/v1/json/zoneConfigsFind',
    headers: {},
    body: JSON.stringify({ authToken: apiKey, limit: 1, page: 1 }),
  }),
  classify({ status, body }) {
    const result = textAt(body, 'status')
    const codes = (listAt(body, 'errors') ?? []).map((error) => valueAt(error, 'code'))
    if (status === 200 && result === 'success' && textAt(body, 'response.type') === 'FindZoneConfigsResult')
      return valid()
    if (result === 'error' && codes.length === 1 && codes[0] === 10_109) return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
