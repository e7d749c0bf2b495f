import { listOf, textAt, zonesIn } from '../engine/answers.ts'
import { invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'ionos',
  title: 'IONOS',
  docs: 'https://developer.hosting.ionos.com/docs/dns',
  keyPage: 'https://developer.hosting.ionos.com/keys',
  baseUrl: 'https://api.hosting.ionos.com',
  keyTypes: { api_key: { label: 'API key (prefix.secret)' } },
  certainty: 'client code',
  remarks: 'A key cannot be limited: it reads every zone of the account (caddy-dns/ionos#17).',
  firstRead: { grows: 'with all zones' },
  abilities: 'in the first answer',
  request: ({ apiKey }) => ({ path: '/dns/v1/zones', headers: { 'x-api-key': apiKey } }),
  classify({ status, body }) {
    const code = textAt(body, '0.code')
    const zones = listOf(body, '', 'name')
    if (status === 200 && zones) {
      const names = zones.map((zone) => textAt(zone, 'name'))
      // The list has no pages.
      return valid(undefined, {}, zonesIn(names, { hasMore: false }, 'dns:read'))
    }
    if (status === 401 && code === 'UNAUTHORIZED') return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
