import { allZones, listOf, textAt } from '../engine/answers.ts'
import { type AbilityRead, invalid, provider, undetermined, valid } from '../engine/provider.ts'

/** Lists the zones without records, or looks one up. */
const listZones: AbilityRead['request'] = ({ apiKey }, _, { zone }) => ({
  path: `/api/v1/servers/localhost/zones?dnssec=false${zone && `&zone=${zone}.`}`,
  headers: { 'x-api-key': apiKey },
})

export default provider({
  id: 'powerdns',
  title: 'PowerDNS',
  docs: 'https://doc.powerdns.com/authoritative/http-api/server.html',
  keyPage: 'https://doc.powerdns.com/authoritative/http-api/index.html#enabling-the-api',
  baseUrl: 'https://powerdns.example',
  isOwnServer: true,
  keyTypes: { api_key: { label: 'API key' } },
  certainty: 'documented',
  remarks:
    'Self-hosted: available only if `MUSTER_PROVIDER_POWERDNS_URL` is set. Requests cannot name another address. ' +
    'A key of the server can do everything. A proxy may limit it to some zones. A server without an `api-key` in its configuration rejects every key.',
  firstRead: { grows: 'never' },
  abilities: {
    list: {
      request: listZones,
      find({ status, body }) {
        const names = namesIn(body)
        if (status !== 200 || !names) return undefined
        return allZones(names, { hasMore: false })
      },
    },
    zone: {
      request: listZones,
      find({ status, body }, { zone }) {
        const names = namesIn(body)
        if (status === 200 && names) return { hasZone: names.includes(`${zone}.`) }
        // Of a proxy (rmbolger/Posh-ACME#617).
        const isOtherZone = status === 403 && textAt(body, 'msg') === 'Zone access not allowed'
        return isOtherZone ? { hasZone: false } : undefined
      },
    },
  },
  request: ({ apiKey }) => ({ path: '/api/v1/servers/localhost', headers: { 'x-api-key': apiKey } }),
  classify({ status, body, headers }) {
    if (status === 200 && textAt(body, 'type') === 'Server' && textAt(body, 'daemon_type')) return valid()
    // A proxy in front of it sends another challenge.
    const challenge = headers['www-authenticate'] ?? ''
    if (status === 401 && /^X-API-Key realm="PowerDNS"$/i.test(challenge)) return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})

function namesIn(body: unknown): string[] | undefined {
  const names = listOf(body, '', 'kind')?.map((zone) => textAt(zone, 'name'))
  return names?.every((name) => name.endsWith('.')) ? names : undefined
}
