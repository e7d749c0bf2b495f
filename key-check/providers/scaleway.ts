import { listAt, textAt } from '../engine/answer-body.ts'
import { invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'scaleway',
  title: 'Scaleway',
  docs: 'https://www.scaleway.com/en/developers/api/domains-and-dns/',
  keyPage: 'https://console.scaleway.com/iam/api-keys',
  baseUrl: 'https://api.scaleway.com',
  keyTypes: { api_key: { label: 'secret key', email: 'unused' } },
  certainty: 'logged',
  remarks: 'The rejections were logged; that this list is the cheapest read is a guess.',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: ({ apiKey }) => ({ path: '/domain/v2beta1/dns-zones?page_size=1', headers: { 'x-auth-token': apiKey } }),
  classify({ status, body }) {
    const type = textAt(body, 'type')
    if (status === 200 && listAt(body, 'dns_zones')) return valid()
    if (status === 401 && type === 'denied_authentication')
      return invalid(textAt(body, 'reason') === 'expired' ? 'expired' : 'not_recognised')
    if (status === 403 && type === 'permissions_denied') return valid('limited_permissions')
    return undetermined('unexpected_answer')
  },
})
