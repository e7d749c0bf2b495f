import { listOf, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import { provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'netnod',
  title: 'Netnod',
  docs: 'https://github.com/go-acme/lego/blob/a0e15c2daf87956943f176fd54cc6f291f221e2d/providers/dns/netnod/internal/Netnod-Primary-DNS-API.md',
  keyPage: 'https://customer.netnod.se/',
  baseUrl: 'https://primarydnsapi.netnod.se',
  keyTypes: { api_token: { label: 'API token' } },
  certainty: 'documented',
  remarks:
    'An account limits the addresses that may use its tokens. No source shows how the 401 for another address differs from ' +
    'the one for a wrong token, so a rejection proves nothing.',
  firstRead: { grows: 'with one zone' },
  abilities: 'in the first answer',
  request: ({ apiKey }) => ({ path: '/api/v1/zones?limit=1', headers: { authorization: `Token ${apiKey}` } }),
  classify({ status, body }) {
    const zones = listOf(body, 'data', 'id')
    const total = valueAt(body, 'total')
    if (status === 200 && zones && typeof total === 'number')
      return valid(
        undefined,
        {},
        zonesIn(
          zones.map((zone) => textAt(zone, 'id')),
          { total },
        ),
      )
    return undetermined('unexpected_answer')
  },
})
