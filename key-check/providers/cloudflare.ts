import { instantMs, listAt, listOf, textAt, valueAt } from '../engine/answer-body.ts'
import { joinCapabilities, zonesIn } from '../engine/capabilities.ts'
import type {
  AbilityRead,
  Caveat,
  Classification,
  Facts,
  FoundAbilities,
  Outcome,
  Probe,
  ProviderAnswer,
  Undetermined,
} from '../engine/provider.ts'
import { bearer, invalid, nextProbe, provider, retry, undetermined, valid } from '../engine/provider.ts'
import { rightsIn } from './cloudflare/rights.ts'
import { hintFor, shapeOf } from './cloudflare/shapes.ts'

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

/** Both documents agree that clocks have a tolerance, but not on its size; this is the smaller one. */
const CLOCK_SKEW_MS = 60_000

const userToken: Facts = { credential: 'user_token', label: 'API token' }
const accountToken: Facts = { credential: 'account_token', label: 'account API token' }
const unknownToken: Facts = { credential: 'api_token', label: 'API token' }
const globalKey: Facts = { credential: 'global_key', label: 'Global API Key' }

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

/** HTTP 200 with `success: true` and no `errors`. Two without the third contradict each other. */
function succeeded({ status, body }: ProviderAnswer): boolean {
  const errors = valueAt(body, 'errors') ?? []
  return status === 200 && valueAt(body, 'success') === true && Array.isArray(errors) && errors.length === 0
}

/** The verdict of a verify endpoint that knows the token; undefined for any other answer. */
function tokenState(answer: ProviderAnswer, kind: Facts): Outcome | undefined {
  if (!succeeded(answer)) return undefined
  const status = textAt(answer.body, 'result.status')
  const window = readWindow(answer.body)
  if (!status || !window) return undetermined('unexpected_answer')
  const facts = { ...kind, ...window.facts }
  if (status === 'disabled' || status === 'expired') return invalid(status, facts)
  if (status !== 'active') return invalid('not_active', { ...facts, status })
  // Cloudflare's sample says `active` for a token whose window has passed, so compare the window here.
  if (window.endsMs < answer.nowMs - CLOCK_SKEW_MS) return invalid('expired', facts)
  if (window.startsMs > answer.nowMs + CLOCK_SKEW_MS) return invalid('not_yet_valid', facts)
  return { ...valid(undefined, facts), ...(facts.expiresOn === undefined && { excess: 'no_expiry' }) }
}

/** The validity window; undefined if a bound is not an instant. */
function readWindow(body: unknown): { startsMs: number; endsMs: number; facts: Facts } | undefined {
  const notBefore = valueAt(body, 'result.not_before') ?? undefined
  const expiresOn = valueAt(body, 'result.expires_on') ?? undefined
  const startsMs = notBefore === undefined ? Number.NEGATIVE_INFINITY : instantMs(notBefore)
  const endsMs = expiresOn === undefined ? Number.POSITIVE_INFINITY : instantMs(expiresOn)
  if (Number.isNaN(startsMs) || Number.isNaN(endsMs)) return undefined
  const facts = {
    ...(typeof notBefore === 'string' && { notBefore }),
    ...(typeof expiresOn === 'string' && { expiresOn }),
  }
  return { startsMs, endsMs, facts }
}

type Fault = { readonly code: number; readonly message: string }

/** What depends on the endpoint: code 1000 (`unknown`) and codes 10000 and 10001 (`refused`). */
interface ByEndpoint {
  unknown(): Classification
  refused(): Classification
}

/**
 * Classifies by code and, for the five meanings of 9109, by text; the HTTP status varies. Precedence: lockout and rate limit, then proof
 * that the credential is genuine, then a definite rejection, then 10000.
 */
function classifyFaults(answer: ProviderAnswer, kind: Facts, byEndpoint: ByEndpoint): Classification {
  const faults = faultsIn(answer.body)
  const busy = busyFrom(faults)
  if (busy) return busy
  const has = (...codes: number[]) => faults.some(({ code }) => codes.includes(code))
  if (valueAt(answer.body, 'success') !== false) return undetermined('unexpected_answer')

  const caveat = proofOfGenuine(faults)
  if (caveat) return valid(caveat, kind)
  const no = definiteNo(answer, faults, kind)
  if (no) return no
  if (has(1000)) return byEndpoint.unknown()
  if (has(10000, 10001)) return byEndpoint.refused()
  return undetermined('unexpected_answer')
}

function busyFrom(faults: readonly Fault[]): Undetermined | undefined {
  const has = (...codes: number[]) => faults.some(({ code }) => codes.includes(code))
  if (has(10502) || says(faults, 9109, 'max auth failures')) return undetermined('locked_out')
  if (has(971, 10429)) return undetermined('rate_limited')
  // The text names the limit of a user or account (1,200 in 300 s), not that of an address (200 in 1 s).
  return has(10100) ? undetermined('key_rate_limited') : undefined
}

function faultsIn(body: unknown): Fault[] {
  const errors = listAt(body, 'errors') ?? []
  return errors.flatMap((error) => [error, ...(listAt(error, 'error_chain') ?? [])]).flatMap(readFault)
}

function readFault(error: unknown): Fault[] {
  const code = valueAt(error, 'code')
  const number = typeof code === 'string' && /^\d{1,6}$/.test(code) ? Number(code) : code
  return typeof number === 'number' ? [{ code: number, message: textAt(error, 'message').toLowerCase() }] : []
}

function says(faults: readonly Fault[], code: number, start: string): boolean {
  return faults.some((fault) => fault.code === code && fault.message.startsWith(start))
}

/** Answers that only a genuine credential gets. */
function proofOfGenuine(faults: readonly Fault[]): Caveat | undefined {
  if (says(faults, 9109, 'cannot use the access token from location')) return 'ip_filtered'
  if (says(faults, 9109, 'unauthorized to access')) return 'limited_permissions'
  if (faults.some(({ code, message }) => code === 0 && /^actor\b.*\brequires permission\b/.test(message)))
    return 'limited_permissions'
  if (says(faults, 9109, 'valid user-level authentication not found')) return 'state_not_shown'
  if (says(faults, 1001, 'list accounts endpoint does not support account owned tokens')) return 'state_not_shown'
  return undefined
}

function definiteNo(answer: ProviderAnswer, faults: readonly Fault[], kind: Facts): Outcome | undefined {
  const has = (wanted: number) => faults.some(({ code }) => code === wanted)
  const facts = { ...kind, ...hintFor(answer) }
  if (has(6102) && has(6103)) return invalid('malformed_pair', facts)
  if (has(6111) || has(6103)) return invalid('malformed', facts)
  if (has(6102)) return invalid('malformed_email', kind)
  if (has(9103)) return invalid('wrong_pair', kind)
  if (says(faults, 9109, 'invalid access token')) return invalid('not_recognised', facts)
  // An unknown text is a rejection only if both the status and the text say so.
  const isNo = faults.some(({ code, message }) => code === 9109 && /\b(?:invalid|unknown)\b/.test(message))
  return isNo && answer.status === 403 ? invalid('not_recognised', facts) : undefined
}

function notRecognised(answer: ProviderAnswer): Outcome {
  return invalid('not_recognised', { ...kindOf(answer.shape), ...hintFor(answer) })
}

/** The name of a rejected value: only the prefixes of 2026 show the kind of a token. */
function kindOf(shape: string): Facts {
  if (shape.startsWith('user_token')) return userToken
  return shape.startsWith('account_token') ? accountToken : unknownToken
}

/** Another call may cost another failed authentication, so it is made only if it can change the verdict. */
const maybeAccountToken = /^(?:account_token|old_token|forty_hex$|base64$|other$)/
