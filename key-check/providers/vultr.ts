import {
  type Capabilities,
  limitedByOwner,
  listAt,
  listOf,
  objectAt,
  type ScopeTable,
  scopesIn,
  textAt,
  valueAt,
  zonesIn,
} from '../engine/answers.ts'
import {
  type AbilityRead,
  bearer,
  bearerFor,
  type Classification,
  type FoundAbilities,
  invalid,
  nextProbe,
  type Probe,
  type ProviderAnswer,
  provider,
  undetermined,
  valid,
} from '../engine/provider.ts'

/** https://docs.vultr.com/reference/vultr-cli/users/create: the permissions of the key's user. */
const permissions: ScopeTable = {
  dns: ['zones:list', 'dns:read', 'dns:edit'],
  manage_users: [],
  subscriptions_view: [],
  subscriptions: [],
  billing: [],
  support: [],
  provisioning: [],
  abuse: [],
  upgrade: [],
  firewall: [],
  alerts: [],
  objstore: [],
  loadbalancer: [],
}

export default provider({
  id: 'vultr',
  title: 'Vultr',
  docs: 'https://www.vultr.com/api/#tag/dns',
  keyPage: 'https://my.vultr.com/settings/#settingsapi',
  smallerKeyPage: 'https://my.vultr.com/settings/#settingsusers',
  baseUrl: 'https://api.vultr.com',
  keyTypes: { api_key: { label: 'API key' } },
  certainty: 'logged',
  remarks:
    'A key has the permissions of its user. Vultr also has policies (IAM), which are not read. Its documents do not say which of the two ' +
    'count for a user with both.',
  firstRead: { needs: 'dns', grows: 'never' },
  abilities: {
    list: readPermissions(),
    zone: {
      request: bearerFor((zone) => `/v2/domains/${zone}`),
      find: ({ status, body }, { zone }) =>
        status === 200 && textAt(body, 'domain.domain') === zone
          ? { hasZone: true, next: readPermissions() }
          : undefined,
    },
  },
  permissions: { 'zones:list': 'dns', 'dns:read': 'dns', 'dns:edit': 'dns' },
  request: bearer('/v2/domains?per_page=1'),
  classify(answer) {
    const { status, body } = answer
    const domains = listOf(body, 'domains', 'domain')
    const total = valueAt(body, 'meta.total')
    if (status === 200 && domains && typeof total === 'number') {
      const names = domains.map((domain) => valueAt(domain, 'domain'))
      return valid(undefined, {}, zonesIn(names, { total }))
    }
    // No source shows the body of this refusal. A key without DNS may still read its account.
    return status === 403 ? nextProbe(readAccount) : outcomeOfRefusal(answer)
  },
})

/** Decides if the key may not list domains. That refusal outweighs a permission that would allow it. */
const readAccount: Probe = {
  request: bearer('/v2/account'),
  classify(answer) {
    const { status, body } = answer
    if (status !== 200 || !objectAt(body, 'account')) return outcomeOfRefusal(answer)
    const { abilities: _, ...shown } = permissionsIn(body)
    return { ...valid('limited_permissions', {}, shown), ...excessIn(body) }
  },
}

function outcomeOfRefusal({ status, body }: ProviderAnswer): Classification {
  const error = textAt(body, 'error')
  // The status is the same for a wrong key and for a valid key used from another address; only the text differs.
  if (status === 401 && error.startsWith('Unauthorized IP address')) return valid('ip_filtered')
  if (status === 401 && error.startsWith('Invalid API token')) return invalid('not_recognised')
  return undetermined('unexpected_answer')
}

/** After an answer that shows a domain or a list of them. A policy may have allowed it, so nothing is lacking. */
function readPermissions(): AbilityRead {
  return {
    request: bearer('/v2/account'),
    find({ status, body }) {
      if (status !== 200 || !listAt(body, 'account.acls')) return undefined
      const { lacks: _, ...shown } = permissionsIn(body)
      return { capabilities: limitedByOwner(shown), ...excessIn(body) }
    },
  }
}

/** A user who manages users can give permissions to itself or to another user. */
function excessIn(body: unknown): Pick<FoundAbilities, 'excess'> {
  return listAt(body, 'account.acls')?.includes('manage_users') ? { excess: 'manages_users' } : {}
}

function permissionsIn(body: unknown): Capabilities {
  return scopesIn(listAt(body, 'account.acls') ?? [], permissions)
}
