import { listOf, textAt } from '../engine/answer-body.ts'
import { bearer, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'gandi',
  title: 'Gandi',
  docs: 'https://api.gandi.net/docs/livedns/',
  keyPage: 'https://admin.gandi.net/organizations/account/pat',
  baseUrl: 'https://api.gandi.net',
  keyTypes: { api_token: { label: 'personal access token', email: 'unused' } },
  certainty: 'client code',
  remarks: 'A 403 may come from a limited token or, from older parts of the API, from a wrong one: it proves nothing.',
  request: bearer('/v5/livedns/domains?per_page=1'),
  classify({ status, body }) {
    if (status === 200 && listOf(body, '', 'fqdn')) return valid()
    if (status === 401 && textAt(body, 'object') === 'HTTPUnauthorized') return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
