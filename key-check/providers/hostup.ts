import { listOf, valueAt } from '../engine/answers.ts'
import { bearer, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'hostup',
  title: 'HostUp',
  docs: 'https://developer.hostup.se/endpoints/domain-services/get-v2-dns-zones/',
  keyPage: 'https://cloud.hostup.se/account/api-keys',
  baseUrl: 'https://cloud.hostup.se/api/v2',
  keyTypes: { api_key: { label: 'API key' } },
  certainty: 'client code',
  remarks: 'No source shows the code of a rejection, so a rejection proves nothing.',
  firstRead: { grows: 'never' },
  request: bearer('/dns-zones?limit=1'),
  classify({ status, body }) {
    const isPage = listOf(body, 'data', 'name') && typeof valueAt(body, 'hasMore') === 'boolean'
    return status === 200 && isPage ? valid() : undetermined('unexpected_answer')
  },
})
