import { listAt, listOf, textAt, zonesIn } from '../engine/answers.ts'
import { provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'ns1',
  title: 'NS1 Connect',
  docs: 'https://developer.ibm.com/apis/catalog/ns1--ibm-ns1-connect-api/api/API--ns1--ibm-ns1-connect-api',
  keyPage: 'https://my.nsone.net/#/account/settings/keys',
  baseUrl: 'https://api.nsone.net',
  keyTypes: { api_key: { label: 'API key' } },
  certainty: 'client code',
  remarks:
    'A key can have several secrets, each with its own end. No source shows the text of a rejection, and a key may be limited to addresses, so a ' +
    'rejection proves nothing.',
  firstRead: { needs: 'view_zones', grows: 'with all zones' },
  abilities: {
    zone: {
      request: ({ apiKey }, _, { zone }) => ({
        path: `/v1/zones/${zone}?records=false`,
        headers: { 'x-nsone-key': apiKey },
      }),
      find({ status, body }, { zone }) {
        // The same call, without the filter, returns the records.
        if (status === 200 && textAt(body, 'zone') === zone && listAt(body, 'dns_servers'))
          return { hasZone: true, capabilities: { abilities: ['dns:read'] } }
        return status === 404 && textAt(body, 'message') === 'zone not found' ? { hasZone: false } : undefined
      },
    },
  },
  permissions: { 'zones:list': 'view_zones', 'dns:read': 'view_zones', 'dns:edit': 'manage_zones' },
  request: ({ apiKey }) => ({ path: '/v1/zones', headers: { 'x-nsone-key': apiKey } }),
  classify({ status, headers, body }) {
    const zones = listOf(body, '', 'zone')
    if (status === 200 && zones) {
      const names = zones.map((zone) => textAt(zone, 'zone'))
      // Only a list of thousands has pages, and then this header.
      return valid(undefined, {}, zonesIn(names, { hasMore: headers.link !== undefined }))
    }
    // Other programs of the customer share this limit; other customers do not.
    if (status === 429 && headers['x-ratelimit-by'] === 'customer') return undetermined('key_rate_limited')
    return undetermined('unexpected_answer')
  },
})
