import { allZones, listOf, textAt, valueAt } from '../engine/answers.ts'
import {
  type AbilityRead,
  basic,
  invalid,
  type OpenCredential,
  type ProviderAnswer,
  type ProviderRequest,
  provider,
  undetermined,
  valid,
} from '../engine/provider.ts'

const zonesMax = 50

export default provider({
  id: 'luadns',
  title: 'LuaDNS',
  docs: 'https://luadns.com/api.html',
  keyPage: 'https://api.luadns.com/settings',
  baseUrl: 'https://api.luadns.com',
  keyTypes: { api_key: { label: 'API token', email: 'required' } },
  certainty: 'logged',
  remarks:
    'An account has one token, which reads and changes all its zones. The settings of the account must have "Enable API Access" on. A 403 was ' +
    'recorded for a malformed request, so it proves nothing.',
  documentedRate: { calls: 1_200, seconds: 300, source: 'https://luadns.com/api.html' },
  callsPerSecondMax: 3,
  firstRead: { grows: 'never' },
  abilities: {
    list: {
      request: (credential) => get(credential, `/v1/zones?limit=${zonesMax}`),
      find(answer) {
        const zones = zonesOf(answer)
        if (!zones) return undefined
        const names = zones.map((zone) => textAt(zone, 'name'))
        return allZones(names, endOf(answer, zones.length))
      },
    },
    zone: {
      // Finds every zone whose name contains the text.
      request: (credential, _, { zone }) => get(credential, `/v1/zones?limit=${zonesMax}&query=${zone}`),
      find(answer, { zone }) {
        const zones = zonesOf(answer)
        if (!zones) return undefined
        const found = zones.find((entry) => textAt(entry, 'name') === zone)
        const id = valueAt(found, 'id')
        const next = Number.isSafeInteger(id) && { next: recordsOf(Number(id)) }
        const isWhole = zones.length < zonesMax
        return {
          capabilities: { abilities: ['zones:list'] },
          ...(found ? { hasZone: true, ...next } : isWhole && { hasZone: false }),
        }
      },
    },
  },
  request: (credential) => get(credential, '/v1/users/me'),
  classify({ status, body }) {
    const isRefusal = textAt(body, 'message') !== '' && textAt(body, 'request_id') !== ''
    if (status === 200 && textAt(body, 'email')) return valid()
    if (status === 401 && isRefusal) return invalid('wrong_pair')
    return undetermined('unexpected_answer')
  },
})

function get({ apiKey, email }: OpenCredential, path: string): ProviderRequest {
  return { path, headers: { authorization: basic(email, apiKey) } }
}

function zonesOf({ status, body }: ProviderAnswer): readonly unknown[] | undefined {
  return status === 200 && listOf(body, '', 'records_count') ? listOf(body, '', 'name') : undefined
}

function endOf({ headers }: ProviderAnswer, read: number) {
  const total = Number(headers['x-total-count'] ?? Number.NaN)
  return Number.isNaN(total) ? { hasMore: read >= zonesMax } : { total }
}

function recordsOf(id: number): AbilityRead {
  return {
    request: (credential) => get(credential, `/v1/zones/${id}/records?limit=1`),
    find: ({ status, body }) =>
      status === 200 && listOf(body, '', 'zone_id') ? { capabilities: { abilities: ['dns:read'] } } : undefined,
  }
}
