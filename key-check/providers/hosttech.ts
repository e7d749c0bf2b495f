import { listAt, textAt } from '../engine/answers.ts'
import { bearer, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'hosttech',
  title: 'Hosttech',
  docs: 'https://api.ns1.hosttech.eu/api/documentation/',
  keyPage: 'https://www.myhosttech.eu/user/dns/api',
  baseUrl: 'https://api.ns1.hosttech.eu',
  keyTypes: { api_token: { label: 'API token' } },
  certainty: 'guess',
  remarks: 'The path is a guess; the rejection comes from a test of a client.',
  firstRead: { grows: 'with all zones' },
  request: bearer('/api/user/v1/zones?limit=1'),
  classify({ status, body }) {
    const message = textAt(body, 'message')
    if (status === 200 && listAt(body, 'data')) return valid()
    if (status === 401 && message.startsWith('Unauthenticated')) return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
