import { allZones, listOf, textAt } from '../engine/answers.ts'
import { type AbilityRead, bearer, bearerFor, invalid, provider, undetermined, valid } from '../engine/provider.ts'

/** The list has no pages. The name of a free domain is null until it is chosen. */
const listDomains: AbilityRead = {
  request: bearer('/api/domains/v1/portfolio'),
  find({ status, body }) {
    const domains = domainsIn(body)
    if (status !== 200 || !domains) return undefined
    const names = domains.map((domain) => textAt(domain, 'domain')).filter((name) => name !== '')
    return allZones(names, { hasMore: false })
  },
}

export default provider({
  id: 'hostinger',
  title: 'Hostinger',
  docs: 'https://developers.hostinger.com/',
  keyPage: 'https://hpanel.hostinger.com/profile/api',
  baseUrl: 'https://developers.hostinger.com',
  keyTypes: { api_token: { label: 'API token' } },
  certainty: 'documented',
  remarks:
    'A token has no scopes: it can do what its user can do. The check lists the domains that are moving to another account, usually none, because ' +
    'the list of all domains has no pages. Hostinger may block an address for some time after several rate limits.',
  firstRead: { grows: 'never' },
  abilities: {
    list: listDomains,
    zone: {
      request: bearerFor((zone) => `/api/dns/v1/zones/${zone}`),
      // No source shows the answer for a domain of somebody else.
      find({ status, body }) {
        const sets = listOf(body, '', 'records')
        const isZone = sets && sets.length > 0 && listOf(body, '', 'ttl')
        return status === 200 && isZone ? { hasZone: true, capabilities: { abilities: ['dns:read'] } } : undefined
      },
    },
  },
  request: bearer('/api/domains/v1/move/outgoing'),
  classify({ status, body }) {
    if (status === 200 && domainsIn(body)) return valid()
    if (status === 401 && textAt(body, 'message') === 'Unauthenticated' && textAt(body, 'correlation_id'))
      return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})

/** Of domains, and of moves. */
function domainsIn(body: unknown): readonly unknown[] | undefined {
  return listOf(body, '', 'created_at') && listOf(body, '', 'domain')
}
