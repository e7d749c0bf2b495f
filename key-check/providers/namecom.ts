import { allZones, listOf, textAt, valueAt } from '../engine/answers.ts'
import {
  type AbilityRead,
  basic,
  type OpenCredential,
  type ProviderAnswer,
  type ProviderRequest,
  provider,
  undetermined,
  valid,
} from '../engine/provider.ts'

export default provider({
  id: 'namecom',
  title: 'name.com',
  docs: 'https://docs.name.com/api/v1/reference',
  keyPage: 'https://www.name.com/account/settings/api',
  baseUrl: 'https://api.name.com',
  keyTypes: { api_key: { label: 'API token', parts: { username: { label: 'user name', isChosen: true } } } },
  certainty: 'documented',
  remarks:
    'A token has no scopes. A rejection can mean a wrong user name, a wrong token, one of the test environment (its user names end with -test), or ' +
    'an account with two-step verification whose settings do not have "name.com API Access" on. Its texts are the same as those of gateways, so it ' +
    'proves nothing. The check uses the Core API, because version 4 ends.',
  firstRead: { grows: 'never' },
  abilities: {
    list: {
      request: (credential) => get(credential, '/domains?perPage=20&page=1'),
      find(answer) {
        const domains = domainsIn(answer)
        if (!domains) return undefined
        const names = domains.map((domain) => textAt(domain, 'domainName'))
        return allZones(names, { total: valueAt(answer.body, 'totalCount') })
      },
    },
    zone: {
      request: (credential, _, { zone }) => get(credential, `/domains?perPage=1&page=1&domainName=${zone}`),
      find(answer, { zone }) {
        const domains = domainsIn(answer)
        if (!domains) return undefined
        const capabilities = { abilities: ['zones:list' as const] }
        const isFound = domains.some((domain) => textAt(domain, 'domainName') === zone)
        if (isFound) return { capabilities, hasZone: true, next: recordsOf(zone) }
        return { capabilities, ...(domains.length === 0 && { hasZone: false }) }
      },
    },
  },
  request: (credential) => get(credential, '/hello'),
  classify({ status, headers, body }) {
    if (status === 200 && textAt(body, 'username')) return valid()
    // Counted by account.
    if (status === 429 && headers['x-ratelimit-reset'] !== undefined) return undetermined('key_rate_limited')
    return undetermined('unexpected_answer')
  },
})

function get({ apiKey, parts: { username = '' } }: OpenCredential, path: string): ProviderRequest {
  return { path: `/core/v1${path}`, headers: { authorization: basic(username, apiKey) } }
}

function domainsIn({ status, body }: ProviderAnswer): readonly unknown[] | undefined {
  const isPage = status === 200 && typeof valueAt(body, 'totalCount') === 'number'
  return isPage ? listOf(body, 'domains', 'domainName') : undefined
}

function recordsOf(zone: string): AbilityRead {
  return {
    request: (credential) => get(credential, `/domains/${zone}/records?perPage=1&page=1`),
    find: ({ status, body }) =>
      status === 200 && listOf(body, 'records', 'type') ? { capabilities: { abilities: ['dns:read'] } } : undefined,
  }
}
