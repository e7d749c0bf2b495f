import { listAt, textAt } from '../engine/answers.ts'
import { invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'leaseweb',
  title: 'Leaseweb',
  docs: 'https://developer.leaseweb.com/docs/',
  keyPage: 'https://secure.leaseweb.com/api-client-management/',
  baseUrl: 'https://api.leaseweb.com',
  keyTypes: { api_key: { label: 'API key' } },
  certainty: 'client code',
  remarks: 'The list to read is a guess; the rejection comes from a test of a client.',
  firstRead: { grows: 'never' },
  request: ({ apiKey }) => ({ path: '/hosting/v2/domains?limit=1', headers: { 'x-lsw-auth': apiKey } }),
  classify({ status, body }) {
    const code = textAt(body, 'errorCode')
    if (status === 200 && listAt(body, 'domains')) return valid()
    if (status === 401 && code === '401') return invalid('not_recognised')
    if (status === 403 && code === '403') return valid('limited_permissions')
    return undetermined('unexpected_answer')
  },
})
