import {
  type Capabilities,
  limitedByOwner,
  listOf,
  type ScopeTable,
  scopesIn,
  textAt,
  valueAt,
  zonesIn,
} from '../engine/answers.ts'
import {
  type AbilityRead,
  bearer,
  type FoundAbilities,
  invalid,
  type ProviderAnswer,
  provider,
  undetermined,
  valid,
} from '../engine/provider.ts'

const others = [
  'account',
  'child_account',
  'databases',
  'events',
  'firewall',
  'images',
  'ips',
  'linodes',
  'lke',
  'longview',
  'maintenance',
  'nodebalancers',
  'object_storage',
  'stackscripts',
  'volumes',
  'vpc',
]

/** https://techdocs.akamai.com/linode-api/reference/get-started, "OAuth scopes". */
const scopes: ScopeTable = {
  '*': ['zones:list', 'dns:read', 'dns:edit'],
  'domains:read_only': ['zones:list', 'dns:read'],
  'domains:read_write': ['zones:list', 'dns:read', 'dns:edit'],
  ...Object.fromEntries(
    others.flatMap((name) => [`${name}:read_only`, `${name}:read_write`]).map((word) => [word, []]),
  ),
}

export default provider({
  id: 'linode',
  title: 'Linode',
  docs: 'https://techdocs.akamai.com/linode-api/reference/get-profile',
  keyPage: 'https://cloud.linode.com/profile/tokens',
  baseUrl: 'https://api.linode.com',
  keyTypes: { api_token: { label: 'personal access token' } },
  certainty: 'logged',
  remarks:
    'A token may do no more than its user. For a user with grants, the lookup of a zone reads them, but a token without the scope for that cannot. ' +
    'Rate limits are documented per token (https://techdocs.akamai.com/linode-api/reference/rate-limits), so a ' +
    '429 holds back that token only.',
  firstRead: { grows: 'never' },
  abilities: {
    list: { request: bearer('/v4/domains?page_size=50'), find: (answer) => zonesListed(answer) },
    zone: {
      request: ({ apiKey }, _, { zone }) => ({
        path: '/v4/domains?page_size=25',
        headers: { authorization: `Bearer ${apiKey}`, 'x-filter': JSON.stringify({ domain: zone }) },
      }),
      find: (answer, { zone, decided }) => zoneFiltered(answer, zone, valueAt(decided.body, 'restricted') === true),
    },
  },
  permissions: {
    'zones:list': 'domains:read_only',
    'dns:read': 'domains:read_only',
    'dns:edit': 'domains:read_write',
  },
  request: bearer('/v4/profile'),
  classify(answer) {
    const { status, body } = answer
    const reason = textAt(body, 'errors.0.reason')
    if (status === 200 && textAt(body, 'username')) {
      const capabilities = capabilitiesIn(answer)
      return {
        ...valid(undefined, {}, capabilities),
        ...(capabilities.scopes?.includes('*') && { excess: 'everything' }),
      }
    }
    if (status === 401 && reason === 'Invalid Token') return invalid('not_recognised')
    if (isOutOfScope(answer)) return valid('limited_permissions', {}, capabilitiesIn(answer))
    // Counted per token for authenticated requests. A 429 in another form may come from in front of the API.
    if (status === 429 && reason) return undetermined('key_rate_limited')
    return undetermined('unexpected_answer')
  },
})

function zonesListed(answer: ProviderAnswer): FoundAbilities | undefined {
  const domains = domainsIn(answer)
  if (!domains) return refusalOf(answer)
  const names = domains.map((domain) => textAt(domain, 'domain'))
  return { capabilities: zonesIn(names, { total: valueAt(answer.body, 'results') }) }
}

function zoneFiltered(answer: ProviderAnswer, zone: string, isRestricted: boolean): FoundAbilities | undefined {
  const domains = domainsIn(answer)
  if (!domains) return refusalOf(answer)
  const found = domains.find((domain) => textAt(domain, 'domain') === zone)
  if (found) return { hasZone: true, ...(isRestricted && { next: grantFor(valueAt(found, 'id')) }) }
  return valueAt(answer.body, 'results') === 0 ? { hasZone: false } : {}
}

function domainsIn({ status, body }: ProviderAnswer): readonly unknown[] | undefined {
  const isList = status === 200 && typeof valueAt(body, 'results') === 'number'
  return isList ? listOf(body, 'data', 'domain') : undefined
}

function refusalOf(answer: ProviderAnswer): FoundAbilities | undefined {
  return isOutOfScope(answer) ? { capabilities: { lacks: ['zones:list', 'dns:read'] } } : undefined
}

/** Some calls answer with 401, others with 403. */
function isOutOfScope({ status, body }: ProviderAnswer): boolean {
  const reason = textAt(body, 'errors.0.reason')
  return (status === 401 || status === 403) && reason.startsWith('Your OAuth token is not authorized')
}

/** What the user may do with one domain. The grant to edit proves nothing, because newer roles may limit it. */
function grantFor(id: unknown): AbilityRead {
  return {
    request: bearer('/v4/profile/grants'),
    find({ status, body }) {
      const grant = (status === 200 ? listOf(body, 'domain', 'permissions') : undefined)?.find(
        (domain) => valueAt(domain, 'id') === id,
      )
      if (!grant) return undefined
      return textAt(grant, 'permissions') === 'read_only' ? { capabilities: { lacks: ['dns:edit'] } } : {}
    },
  }
}

/** A user with grants has `restricted: true`. Its tokens may do no more than the grants allow, whatever their scopes. */
function capabilitiesIn({ headers, body }: ProviderAnswer): Capabilities {
  const found = scopesIn((headers['x-oauth-scopes'] ?? '').split(/[\s,]+/), scopes)
  return valueAt(body, 'restricted') === false ? found : limitedByOwner(found)
}
