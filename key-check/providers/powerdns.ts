import { listOf, textAt } from '../engine/answer-body.ts'
import { zonesIn } from '../engine/capabilities.ts'
import { type AbilityRead, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'powerdns',
  title: 'PowerDNS',
  docs: 'https://doc.powerdns.com/authoritative/http-api/server.html',
  keyPage: 'https://doc.powerdns.com/authoritative/http-api/index.html#enabling-the-api',
  baseUrl: 'https://powerdns.example',
  isOwnServer: true,
  keyTypes: { api_key: { label: 'API key', email: 'unused' } },
  certainty: 'documented',
  remarks:
    'Self-hosted: available only if `MUSTER_PROVIDER_POWERDNS_URL` is set. Requests cannot name another address. ' +
    'A key of the server can do everything. A proxy may limit it to some zones. A server without an `api-key` in its configuration rejects every key.',
  firstRead: { grows: 'never' },
  abilities: { list: zonesRead(), zone: zonesRead() },
  request: ({ apiKey }) => ({ path: '/api/v1/servers/localhost', headers: { 'x-api-key': apiKey } }),
  classify({ status, body, headers }) {
    if (status === 200 && textAt(body, 'type') === 'Server' && textAt(body, 'daemon_type')) return valid()
    // A proxy in front of it sends another challenge.
    const challenge = headers['www-authenticate'] ?? ''
    if (status === 401 && /^X-API-Key realm="PowerDNS"$/i.test(challenge)) return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})

/** Lists the zones without records, or looks one up. */
function zonesRead(): AbilityRead {
  return {
    request: ({ apiKey }, _, { zone }) => ({
      path: `/api/v1/servers/localhost/zones?dnssec=false${zone && `&zone=${zone}.`}`,
      headers: { 'x-api-key': apiKey },
    }),
    find({ status, body }, { zone }) {
      const zones = listOf(body, '', 'kind')
      const names = zones?.map((one) => textAt(one, 'name')) ?? []
      if (status === 200 && zones && names.every((name) => name.endsWith('.'))) {
        if (zone) return { hasZone: names.includes(`${zone}.`) }
        return { capabilities: zonesIn(names, { hasMore: false }), ...(names.length === 0 && { caveat: 'no_zones' }) }
      }
      // Of a proxy (rmbolger/Posh-ACME#617).
      const isOtherZone = status === 403 && zone !== '' && textAt(body, 'msg') === 'Zone access not allowed'
      return isOtherZone ? { hasZone: false } : undefined
    },
  }
}
