import { allZones, listAt, listOf, textAt, valueAt } from '../engine/answers.ts'
import { type AbilityRead, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'bunny',
  title: 'bunny.net',
  docs: 'https://docs.bunny.net/api-reference/authentication',
  keyPage: 'https://dash.bunny.net/account/api-key',
  baseUrl: 'https://api.bunny.net',
  keyTypes: { api_key: { label: 'account API key' } },
  certainty: 'documented',
  remarks:
    'Searches for a zone that nobody has, because a list contains every record. The roles that may list zones may also read and edit them. The text of ' +
    'a 401 is documented. A 401 without text proves nothing, nor does a 403. Keys of storage zones and of Stream are not supported.',
  firstRead: { needs: 'SubuserAPIDns', grows: 'never' },
  abilities: { list: zonesRead(), zone: zonesRead() },
  permissions: { 'zones:list': 'SubuserAPIDns', 'dns:read': 'SubuserAPIDns', 'dns:edit': 'SubuserAPIDns' },
  request: ({ apiKey }) => ({
    path: '/dnszone?page=1&perPage=5&search=no-such-zone.example',
    headers: { accesskey: apiKey },
  }),
  classify({ status, body, text }) {
    if (status === 200 && listAt(body, 'Items'))
      return valid(undefined, {}, { abilities: ['zones:list', 'dns:read', 'dns:edit'] })
    if (status === 401 && /authorization for the request has (?:failed|been denied)/i.test(text))
      return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})

/** The first five zones, or those with the wanted name in theirs. */
function zonesRead(): AbilityRead {
  return {
    request: ({ apiKey }, _, { zone }) => ({
      path: `/dnszone?page=1&perPage=5${zone && `&search=${zone}`}`,
      headers: { accesskey: apiKey },
    }),
    find({ status, body }, { zone }) {
      const zones = listOf(body, 'Items', 'Domain')
      const total = valueAt(body, 'TotalItems')
      const hasMore = valueAt(body, 'HasMoreItems')
      if (status !== 200 || !zones || typeof total !== 'number' || typeof hasMore !== 'boolean') return undefined
      const names = zones.map((item) => textAt(item, 'Domain'))
      if (zone === '') return allZones(names, { total })
      if (names.includes(zone)) return { hasZone: true }
      return hasMore ? {} : { hasZone: false }
    },
  }
}
