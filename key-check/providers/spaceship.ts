import { listOf, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import { type OpenCredential, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'spaceship',
  title: 'Spaceship',
  docs: 'https://docs.spaceship.dev/#tag/Domains/operation/getDomainList',
  keyPage: 'https://www.spaceship.com/application/api-manager/',
  baseUrl: 'https://spaceship.dev/api',
  keyTypes: { api_key: { label: 'API key', keyLabel: 'API secret', parts: { apiKeyId: { label: 'API key' } } } },
  certainty: 'client code',
  remarks:
    'A rejection proves nothing. It stands for a wrong key, for one without `domains:read`, such as a key for DNS records only, and for an ' +
    'account whose API access is switched off on the page of the keys (acmesh-official/acme.sh#6304).',
  // Documented: 300 calls in 300 seconds.
  callsPerSecondMax: 0.8,
  firstRead: { needs: 'domains:read', grows: 'never' },
  abilities: {
    zone: {
      request: (credential, _, { zone }) => ({
        path: `/v1/dns/records/${zone}?take=1&skip=0`,
        headers: headersOf(credential),
      }),
      // A refusal stands for a missing scope or for a domain of somebody else.
      find({ status, body }) {
        const isPage = listOf(body, 'items', 'type') && typeof valueAt(body, 'total') === 'number'
        return status === 200 && isPage ? { hasZone: true, capabilities: { abilities: ['dns:read'] } } : undefined
      },
    },
  },
  permissions: { 'zones:list': 'domains:read', 'dns:read': 'dnsrecords:read', 'dns:edit': 'dnsrecords:write' },
  request: (credential) => ({ path: '/v1/domains?take=1&skip=0', headers: headersOf(credential) }),
  classify({ status, body }) {
    const domains = listOf(body, 'items', 'name')
    const total = valueAt(body, 'total')
    if (status === 200 && domains && typeof total === 'number') {
      const names = domains.map((domain) => textAt(domain, 'name'))
      return valid(undefined, {}, zonesIn(names, { total }))
    }
    return undetermined('unexpected_answer')
  },
})

function headersOf({ apiKey, parts: { apiKeyId = '' } }: OpenCredential): Record<string, string> {
  return { 'x-api-key': apiKeyId, 'x-api-secret': apiKey }
}
