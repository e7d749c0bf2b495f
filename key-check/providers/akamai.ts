import { listOf, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import type { Moment, OpenCredential } from '../engine/provider.ts'
import { clockSkew, invalid, provider, undetermined, valid } from '../engine/provider.ts'
import { edgeGridHeaders } from '../engine/signatures.ts'

const problems = 'https://problems.luna.akamaiapis.net/-/'

export default provider({
  id: 'akamai',
  title: 'Akamai',
  docs: 'https://techdocs.akamai.com/edge-dns/reference/get-zones',
  keyPage: 'https://control.akamai.com/apps/identity-management/',
  baseUrl: 'https://*.luna.akamaiapis.net',
  keyTypes: {
    api_key: {
      label: 'API client',
      keyLabel: 'client secret',
      parts: {
        clientToken: { label: 'client token', pattern: '^akab-', example: 'akab-example-client' },
        accessToken: { label: 'access token', isSecret: true, pattern: '^akab-', example: 'akab-example-access' },
        host: {
          label: 'host',
          // The first label becomes part of the host name.
          mustMatch: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.luna\\.akamaiapis\\.net$',
          example: 'akab-example.luna.akamaiapis.net',
        },
      },
    },
  },
  certainty: 'logged',
  remarks: 'The answer to a wrong access token is unknown, so it proves nothing.',
  firstRead: { needs: 'DNS—Zone Record Management', grows: 'never' },
  abilities: {
    zone: {
      request: (credential, moment, { zone }) =>
        signed(credential, moment, `/config-dns/v2/zones?page=1&pageSize=25&search=${zone}`),
      find({ status, body }, { zone }) {
        const zones = listOf(body, 'zones', 'zone')
        const total = valueAt(body, 'metadata.totalElements')
        if (status !== 200 || !zones || typeof total !== 'number') return undefined
        if (zones.some((entry) => textAt(entry, 'zone') === zone)) return { hasZone: true }
        return total === zones.length ? { hasZone: false } : {}
      },
    },
  },
  permissions: {
    'zones:list': 'DNS—Zone Record Management',
    'dns:read': 'DNS—Zone Record Management',
    'dns:edit': 'DNS—Zone Record Management (READ-WRITE)',
  },
  request: (credential, moment) => signed(credential, moment, '/config-dns/v2/zones?pageSize=1&showAll=false'),
  classify({ status, body }) {
    const [type, detail] = [textAt(body, 'type'), textAt(body, 'detail')]
    const zones = listOf(body, 'zones', 'zone')
    if (status === 200 && zones) {
      const names = zones.map((entry) => textAt(entry, 'zone'))
      return valid(undefined, {}, zonesIn(names, { total: valueAt(body, 'metadata.totalElements') }))
    }
    if (status === 400 && detail === 'Invalid timestamp') return clockSkew
    if (status === 401 && type === `${problems}pep-authn/deny`) {
      if (detail === 'Inactive client token') return invalid('unknown_part', { part: 'client token' })
      if (detail === 'The signature does not match') return invalid('wrong_part', { part: 'client secret' })
    }
    // Genuine, but without a grant for Edge DNS.
    if (status === 403 && type === `${problems}pep-authz/deny`)
      return valid('limited_permissions', {}, { lacks: ['zones:list'] })
    return undetermined('unexpected_answer')
  },
})

function signed({ apiKey, parts }: OpenCredential, moment: Moment, path: string) {
  const { clientToken = '', accessToken = '', host = '' } = parts
  const key = { clientToken, accessToken, clientSecret: apiKey }
  return { path, headers: edgeGridHeaders(key, `https://${host}${path}`, moment), label: host.split('.')[0] ?? '' }
}
