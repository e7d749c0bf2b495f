import { listOf, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import { bearer, bearerFor, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'hetzner',
  title: 'Hetzner Cloud',
  docs: 'https://docs.hetzner.cloud/reference/cloud#zones',
  keyPage: 'https://console.hetzner.cloud/projects',
  baseUrl: 'https://api.hetzner.cloud',
  keyTypes: { api_token: { label: 'API token' } },
  certainty: 'documented',
  remarks:
    'Reads zones, because Hetzner DNS has moved to the Cloud API. Tokens of the former DNS console ended with it in May 2026. A token belongs to a project and ' +
    'may read everything in it. No read shows whether it may also write.',
  // Every token of a project may read.
  firstRead: { grows: 'never' },
  abilities: {
    zone: {
      request: bearerFor((zone) => `/v1/zones/${zone}`),
      find({ status, body }, { zone }) {
        if (status === 200 && textAt(body, 'zone.name') === zone) return { hasZone: true }
        return status === 404 && textAt(body, 'error.code') === 'not_found' ? { hasZone: false } : undefined
      },
    },
  },
  permissions: { 'dns:edit': 'Read & Write' },
  // Tokens of the former DNS console had 32 characters, those of the Cloud have 64 (hetznercloud/terraform-provider-hcloud#149).
  shapeOf: (apiKey) => (/^[A-Za-z0-9]{32}$/.test(apiKey) ? 'dns_console' : 'other'),
  request: bearer('/v1/zones?per_page=1'),
  classify({ status, body, shape }) {
    const code = textAt(body, 'error.code')
    const zones = listOf(body, 'zones', 'name')
    if (status === 200 && zones) {
      const names = zones.map((zone) => valueAt(zone, 'name'))
      return valid(undefined, {}, zonesIn(names, { total: valueAt(body, 'meta.pagination.total_entries') }, 'dns:read'))
    }
    if (status === 401 && code === 'unauthorized')
      return invalid('not_recognised', shape === 'dns_console' ? { hint: 'looks_like_dns_console_token' } : {})
    if (status === 403 && (code === 'forbidden' || code === 'token_readonly')) return valid('limited_permissions')
    return undetermined('unexpected_answer')
  },
})
