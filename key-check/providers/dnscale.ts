import { listOf, textAt } from '../engine/answers.ts'
import { bearer, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'dnscale',
  title: 'DNScale',
  docs: 'https://dnscale.eu/api',
  keyPage: 'https://app.dnscale.eu/',
  baseUrl: 'https://api.dnscale.eu',
  keyTypes: { api_token: { label: 'API token' } },
  certainty: 'client code',
  remarks: 'No source documents a rejection, so a rejection proves nothing.',
  firstRead: { grows: 'never' },
  request: bearer('/v1/zones?limit=1'),
  classify({ status, body }) {
    const isList = textAt(body, 'status') === 'success' && listOf(body, 'data.items', 'id')
    return status === 200 && isList ? valid() : undetermined('unexpected_answer')
  },
})
