import {
  type Capabilities,
  joinCapabilities,
  listAt,
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
  nextProbe,
  type Probe,
  type ProviderAnswer,
  provider,
  retry,
  undetermined,
  valid,
} from '../engine/provider.ts'
import {
  accountToken,
  busyFrom,
  classifyFaults,
  faultsIn,
  globalKey,
  kindOf,
  notRecognised,
  proofOfGenuine,
  shapeOf,
  succeeded,
  tokenState,
  userToken,
} from './cloudflare/answers.ts'

const tokenFormats = 'cloudflare/cloudflare-docs token-formats.mdx, 2026-10'

/**
 * Cloudflare has user tokens, account-owned tokens and one global key per user. The user verify endpoint gives an account-owned token the
 * same answer as junk (code 1000), so its rejection alone proves nothing.
 */
export default provider({
  id: 'cloudflare',
  title: 'Cloudflare',
  docs: 'https://developers.cloudflare.com/api/resources/user/subresources/tokens/methods/verify/',
  keyPage: 'https://dash.cloudflare.com/profile/api-tokens',
  baseUrl: 'https://api.cloudflare.com/client/v4',
  keyTypes: {
    api_token: {
      label: 'API token',
      publishedForm: { pattern: '^cf(?:ut|at)_[A-Za-z0-9]{40}[0-9a-f]{8}$', source: tokenFormats },
      // It becomes part of the path.
      parts: { accountId: { label: 'account ID', isOptional: true, mustMatch: '^[0-9a-f]{32}$' } },
    },
    api_key: {
      label: 'Global API Key',
      email: 'required',
      publishedForm: { pattern: '^cfk_[A-Za-z0-9]{40}[0-9a-f]{8}$', source: tokenFormats },
      advice: 'A Global API Key can do everything its user can. A limited API token is safer.',
    },
  },
  certainty: 'logged',
  remarks:
    'The bodies come from the documentation and from logged requests. The bodies of disabled and not yet valid tokens, ' +
    'and the HTTP status of a lockout, follow the schema and were never seen in a log.',
  // One address may make 200 calls per second; beyond that every call is rejected for five minutes.
  callsPerSecondMax: 150,
  lockOut: { failures: 10, windowSeconds: 300 }, // after 10 to 15 in a few minutes, according to post-mortems
  shapeOf,
  firstProbe({ keyType, shape, parts }) {
    if (keyType === 'api_key') return readUser
    if (parts?.has('accountId') && !shape.startsWith('user_token')) return verifyAccountToken()
    // An account token always fails at the users' endpoint, and failures add up to a lockout.
    return shape.startsWith('account_token') ? listAccounts : verifyUserToken
  },
  firstRead: { grows: 'never' },
  abilities: { list: zonesRead(), zone: zonesRead() },
  permissions: { 'zones:list': 'Zone → Zone → Read', 'dns:read': 'Zone → DNS → Read', 'dns:edit': 'Zone → DNS → Edit' },
})

const verifyUserToken: Probe = {
  request: bearer('/user/tokens/verify'),
  classify(answer) {
    return (
      tokenState(answer, userToken) ??
      classifyFaults(answer, kindOf(answer.shape), {
        unknown: () => (maybeAccountToken.test(answer.shape) ? nextProbe(listAccounts) : notRecognised(answer)),
        // No log shows a 10000 here, for valid or invalid tokens: Cloudflare itself has a problem.
        refused: () => retry(nextProbe(lastRead('/accounts?per_page=5'))),
      })
    )
  },
}

const listAccounts: Probe = {
  request: bearer('/accounts?per_page=5'),
  classify(answer) {
    const accounts = succeeded(answer) ? listAt(answer.body, 'result') : undefined
    if (accounts?.length === 0) return nextProbe(lastRead('/zones?per_page=5'))
    const accountId = textAt(accounts, '0.id')
    if (/^[0-9a-f]{32}$/.test(accountId)) return nextProbe(verifyAccountToken(accountId))
    return classifyFaults(answer, kindOf(answer.shape), {
      unknown: () => notRecognised(answer),
      // A 10000 here can mean a junk token or a filtered address.
      refused: () => nextProbe(lastRead('/zones?per_page=5')),
    })
  },
}

/** A read that decides if no verify endpoint did. */
function lastRead(path: string): Probe {
  return {
    request: bearer(path),
    classify(answer) {
      const kind = kindOf(answer.shape)
      if (succeeded(answer) && listAt(answer.body, 'result')) return valid(undefined, kind)
      const refused = () => undetermined('refused')
      return classifyFaults(answer, kind, { unknown: () => notRecognised(answer), refused })
    },
  }
}

/** Lists zones of the account that the token sees, or of the one in the request. */
function verifyAccountToken(seen?: string): Probe {
  return {
    request: ({ apiKey, parts: { accountId = '' } }) => ({
      path: `/accounts/${seen ?? accountId}/tokens/verify`,
      headers: { authorization: `Bearer ${apiKey}` },
    }),
    classify(answer) {
      const isAccountToken = answer.shape.startsWith('account_token')
      const elsewhere = () => nextProbe(isAccountToken ? listAccounts : verifyUserToken)
      return (
        tokenState(answer, accountToken) ??
        classifyFaults(answer, seen === undefined ? kindOf(answer.shape) : accountToken, {
          unknown: () => (seen === undefined ? elsewhere() : notRecognised(answer)),
          refused: () => retry(seen === undefined ? elsewhere() : undetermined('refused')),
        })
      )
    },
  }
}

const readUser: Probe = {
  request: (credential) => ({ path: '/user', headers: authentication(credential) }),
  classify(answer) {
    if (succeeded(answer)) {
      // The answer contains personal data. Only these two members are read.
      const isSuspended = valueAt(answer.body, 'result.suspended') ?? false
      if (!textAt(answer.body, 'result.id') || typeof isSuspended !== 'boolean')
        return undetermined('unexpected_answer')
      return isSuspended ? invalid('suspended', globalKey) : valid(undefined, globalKey)
    }
    const unknown = () => undetermined('unexpected_answer')
    return classifyFaults(answer, globalKey, { unknown, refused: () => retry(undetermined('refused')) })
  },
}

function authentication({ apiKey, email, keyType }: Parameters<Probe['request']>[0]): Record<string, string> {
  return keyType === 'api_key' ? { 'x-auth-email': email, 'x-auth-key': apiKey } : { authorization: `Bearer ${apiKey}` }
}

/** Lists the zones that the key sees, or looks one up. Without the name, some tokens for single zones see none. */
function zonesRead(): AbilityRead {
  return {
    request: (credential, _, { zone }) => ({
      path: zone ? `/zones?name=${zone}` : '/zones?per_page=20',
      headers: authentication(credential),
    }),
    find: (answer, { zone }) =>
      zonesIn200(answer, zone) ?? busyFrom(faultsIn(answer.body)) ?? refusedZones(answer, zone),
  }
}

function zonesIn200(answer: ProviderAnswer, wanted: string): FoundAbilities | undefined {
  const zones = succeeded(answer) ? listOf(answer.body, 'result', 'name') : undefined
  const total = valueAt(answer.body, 'result_info.total_count')
  if (!zones || typeof total !== 'number') return undefined
  const names = zones.map((zone) => textAt(zone, 'name'))
  const rights = rightsIn(zones, answer)
  const hasZone = names.includes(wanted)
  if (wanted) return { hasZone, capabilities: joinCapabilities({ abilities: ['zones:list'] }, hasZone ? rights : {}) }
  return {
    capabilities: joinCapabilities(zonesIn(names, { total }), rights),
    ...(total === 0 && { caveat: 'no_zones' }),
  }
}

function refusedZones({ body }: ProviderAnswer, wanted: string): FoundAbilities | undefined {
  const faults = faultsIn(body)
  // Here 10000 means that a permission is missing or the address is filtered.
  const caveat = proofOfGenuine(faults) ?? (faults.some(({ code }) => code === 10000) ? 'zones_refused' : undefined)
  if (caveat !== 'limited_permissions') return caveat && { caveat }
  // A search for a zone that the token cannot see is refused like one without the permission (certbot/certbot#7583).
  return wanted ? { caveat } : { caveat, capabilities: { lacks: ['zones:list'] } }
}

/** Another call may cost another failed authentication, so it is made only if it can change the verdict. */
const maybeAccountToken = /^(?:account_token|old_token|forty_hex$|base64$|other$)/

/** The `permissions` of a zone, without the `#`. */
const zoneRights: ScopeTable = {
  'zone:read': [],
  'zone:edit': [],
  'zone_settings:read': [], // serfriz/caddy-custom-builds#91
  'dns_records:read': ['dns:read'],
  'dns_records:edit': ['dns:read', 'dns:edit'],
}

/**
 * Cloudflare lists with each zone what the caller may do. Since 2025 the list of a token is its own (dns-lexicon @6e4e9e1). A list of a token
 * that names anything else may be the older one, of all that its user may do, and says nothing.
 */
function rightsIn(zones: readonly unknown[], { keyType }: ProviderAnswer): Capabilities {
  const [words = [], ...others] = zones.map((zone) =>
    (listAt(zone, 'permissions') ?? []).map((word) => String(word).slice(1)),
  )
  const isOwn = keyType === 'api_key' || words.every((word) => Object.hasOwn(zoneRights, word))
  return isOwn && others.every((other) => String(other) === String(words)) ? scopesIn(words, zoneRights) : {}
}
