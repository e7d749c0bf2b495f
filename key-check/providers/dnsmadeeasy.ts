import { listAt, listOf, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import { provider, undetermined, valid } from '../engine/provider.ts'
import { dnsMadeEasyHeaders } from '../engine/signatures.ts'

export default provider({
  id: 'dnsmadeeasy',
  title: 'DNS Made Easy',
  docs: 'https://api-docs.dnsmadeeasy.com/',
  keyPage: 'https://cp.dnsmadeeasy.com/account/info',
  baseUrl: 'https://api.dnsmadeeasy.com',
  keyTypes: { api_key: { label: 'API key', keyLabel: 'secret key', parts: { apiKeyId: { label: 'API key' } } } },
  certainty: 'client code',
  remarks:
    'The rejections that clients expect come from test doubles, so a rejection proves nothing. Documented: 150 calls in 5 minutes.',
  callsPerSecondMax: 0.5,
  firstRead: { grows: 'with all zones' },
  abilities: {
    zone: {
      request: ({ apiKey, parts: { apiKeyId = '' } }, { nowMs }, { zone }) => ({
        path: `/V2.0/dns/managed/name?domainname=${zone}`,
        headers: dnsMadeEasyHeaders(apiKeyId, apiKey, nowMs),
      }),
      // A zone of somebody else is a page of HTML, which shows nothing.
      find({ status, body }, { zone }) {
        const isZone = textAt(body, 'name') === zone && listAt(body, 'delegateNameServers') !== undefined
        return status === 200 && isZone ? { hasZone: true } : undefined
      },
    },
  },
  request: ({ apiKey, parts: { apiKeyId = '' } }, { nowMs }) => ({
    path: '/V2.0/dns/managed/?rows=1',
    headers: dnsMadeEasyHeaders(apiKeyId, apiKey, nowMs),
  }),
  classify({ status, body }) {
    const zones = listOf(body, 'data', 'name')
    const total = valueAt(body, 'totalRecords')
    if (status === 200 && zones && typeof total === 'number') {
      const names = zones.map((zone) => textAt(zone, 'name'))
      return valid(undefined, {}, zonesIn(names, { total }))
    }
    return undetermined('unexpected_answer')
  },
})
