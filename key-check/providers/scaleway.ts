import { listAt, listOf, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import { invalid, type Outcome, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'scaleway',
  title: 'Scaleway',
  docs: 'https://www.scaleway.com/en/developers/api/domains-and-dns/',
  keyPage: 'https://console.scaleway.com/iam/api-keys',
  baseUrl: 'https://api.scaleway.com',
  keyTypes: { api_key: { label: 'secret key' } },
  certainty: 'logged',
  remarks:
    'The policy of a user or an application gives its keys the permission set DomainsDNSReadOnly or DomainsDNSFullAccess for some projects. ' +
    'No read is known that shows whether a key may also write. Scaleway can deny a key without a reason, which proves nothing.',
  firstRead: { needs: 'DomainsDNSReadOnly', grows: 'never' },
  abilities: {
    zone: {
      request: ({ apiKey }, _, { zone }) => ({
        path: `/domain/v2beta1/dns-zones/${zone}/records?page_size=1`,
        headers: { 'x-auth-token': apiKey },
      }),
      find({ status, body }) {
        const isList = listAt(body, 'records') && typeof valueAt(body, 'total_count') === 'number'
        if (status === 200 && isList) return { hasZone: true, capabilities: { abilities: ['dns:read'] } }
        if (isPermissionDenied(status, body)) return { capabilities: { lacks: ['dns:read'] } }
        // The zone of another account gets this 403, which has no type.
        const isAbsent = status === 403 && textAt(body, 'message') === 'domain not found'
        return isAbsent && valueAt(body, 'type') === undefined ? { hasZone: false } : undefined
      },
    },
  },
  permissions: {
    'zones:list': 'DomainsDNSReadOnly',
    'dns:read': 'DomainsDNSReadOnly',
    'dns:edit': 'DomainsDNSFullAccess',
  },
  request: ({ apiKey }) => ({ path: '/domain/v2beta1/dns-zones?page_size=1', headers: { 'x-auth-token': apiKey } }),
  classify({ status, body }) {
    const zones = listOf(body, 'dns_zones', 'domain')
    if (status === 200 && zones)
      // Every permission set that lists zones reads their records too.
      return valid(undefined, {}, zonesIn(zones.map(nameOf), { total: valueAt(body, 'total_count') }, 'dns:read'))
    if (status === 401 && textAt(body, 'type') === 'denied_authentication') return denied(textAt(body, 'reason'))
    if (isPermissionDenied(status, body)) return valid('limited_permissions', {}, { lacks: ['zones:list', 'dns:read'] })
    return undetermined('unexpected_answer')
  },
})

/** A zone is a domain, or a subdomain that has its own records. */
function nameOf(zone: unknown): string {
  return [textAt(zone, 'subdomain'), textAt(zone, 'domain')].filter((part) => part !== '').join('.')
}

function isPermissionDenied(status: number, body: unknown): boolean {
  return status === 403 && textAt(body, 'type') === 'permissions_denied'
}

/** The reasons of `denied_authentication`: scaleway/scaleway-sdk-go scw/errors.go @2c5cd81. */
function denied(reason: string): Outcome {
  if (reason === 'not_found') return invalid('not_recognised')
  if (reason === 'expired') return invalid('expired')
  return reason === 'invalid_argument' ? invalid('malformed') : undetermined('refused')
}
