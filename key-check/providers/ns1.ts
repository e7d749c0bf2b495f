import { listOf, textAt } from '../engine/answer-body.ts'
import { zonesIn } from '../engine/capabilities.ts'
import { provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'ns1',
  title: 'NS1 Connect',
  docs: 'https://developer.ibm.com/apis/catalog/ns1--ibm-ns1-connect-api/api/API--ns1--ibm-ns1-connect-api',
  keyPage: 'https://my.nsone.net/#/account/settings/keys',
  baseUrl: 'https://api.nsone.net',
  keyTypes: { api_key: { label: 'API key', email: 'unused' } },
  certainty: 'client code',
  remarks:
    'No source shows the text of a rejection, and a key may be limited to addresses, so a rejection proves nothing.',
  firstRead: { needs: 'view_zones', grows: 'with all zones' },
  abilities: 'in the first answer',
  request: ({ apiKey }) => ({ path: '/v1/zones', headers: { 'x-nsone-key': apiKey } }),
  classify({ status, body }) {
    const zones = listOf(body, '', 'zone')
    // The list is not paged.
    if (status === 200 && zones)
      return valid(
        undefined,
        {},
        zonesIn(
          zones.map((zone) => textAt(zone, 'zone')),
          { hasMore: false },
        ),
      )
    return undetermined('unexpected_answer')
  },
})
