import { listAt, textAt } from '../engine/answers.ts'
import { invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'variomedia',
  title: 'Variomedia',
  docs: 'https://api.variomedia.de/docs/',
  keyPage: 'https://my.variomedia.de/',
  baseUrl: 'https://api.variomedia.de',
  keyTypes: { api_token: { label: 'API token' } },
  certainty: 'client code',
  remarks: 'The path is documented; the rejection comes from a test of a client.',
  // Per address, which is locked out after too many rejections.
  documentedRate: { calls: 10, seconds: 10, source: 'https://api.variomedia.de/docs/principles.html' },
  callsPerSecondMax: 0.8,
  firstRead: { grows: 'with all zones' },
  request: ({ apiKey }) => ({ path: '/domains', headers: { authorization: `token ${apiKey}` } }),
  classify({ status, body }) {
    if (status === 200 && listAt(body, 'data')) return valid()
    if (status === 401 && textAt(body, 'errors.0.id') === 'unauthorized') return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
