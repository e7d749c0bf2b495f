import type { Secret } from '../../platform/secret.ts'
import { type ConsoleClient, readConsoleClient } from './console-client.ts'
import { EntryReader, isObject, type Lookup } from './entry-reader.ts'
import { reservedPrefix } from './names.ts'
import { type Preset, presets, type RawEntry } from './presets.ts'

/** One configured remote issuer, validated. Its keys are not fetched yet. */
export interface IssuerEntry {
  readonly issuer: string
  readonly algorithms: readonly string[]
  /** Where the keys of public-key algorithms come from. */
  readonly keys: KeySource
  /** The secret of the HMAC algorithms. It is never used with a public-key algorithm, nor `keys` with HMAC. */
  readonly secret?: Secret
  readonly audience?: readonly string[]
  readonly party?: { readonly claim: string; readonly oneOf: readonly string[] }
  readonly typ?: string
  readonly exactly: Readonly<Record<string, string | boolean>>
  readonly never: Readonly<Record<string, string | boolean>>
  readonly present: readonly string[]
  readonly claims: ClaimNames
  readonly stepUp?: StepUpClaims
  readonly lifetimeMaxSeconds: number
  readonly clockToleranceSeconds: number
  readonly trustsEmail: boolean
  /** Whether two of its subjects with the same verified email share an account. */
  readonly joinSubjects: boolean
  readonly provisions: boolean
  readonly refusesIdTokens: boolean
  /** Set if users can sign in to the web console at this issuer. */
  readonly console?: ConsoleClient
}

/** Names of the claims that Muster reads. */
export interface ClaimNames {
  readonly subject: string
  readonly session?: string
  /** Its value is the ID of an organization of Muster. */
  readonly organization?: string
  readonly email: string
  readonly emailVerified: string
  readonly name: string
}

/** Claims that show the level of a session. */
export interface StepUpClaims {
  /** Values of `acrClaim` that mean a second factor. */
  readonly acr: readonly string[]
  readonly acrClaim: string
  /** Values of `amr` that mean a second factor; any one is enough. */
  readonly amr: readonly string[]
  /** The claim with the time of authentication, in seconds since 1970. */
  readonly authTime?: string
}

type KeySource =
  | { readonly kind: 'none' }
  | { readonly kind: 'inline'; readonly set: Readonly<Record<string, unknown>> }
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'discovery'; readonly url: string; readonly allowsHttp: boolean }

/**
 * Reads the JSON of MUSTER_ISSUERS. Each fault names its entry and member. Do not use the entries if there are faults.
 * `builtIn`: the URL of the built-in issuer, if it is enabled.
 */
export function readIssuerEntries(
  document: unknown,
  { lookup, builtIn }: { lookup: Lookup; builtIn: string | undefined },
): { entries: readonly IssuerEntry[]; faults: readonly string[] } {
  if (!Array.isArray(document)) return { entries: [], faults: ['MUSTER_ISSUERS: must be a JSON array of entries.'] }
  const faults: string[] = []
  const seen = new Set<string>()
  const entries = document.map((raw, index) => {
    const location = `MUSTER_ISSUERS, entry ${index + 1}`
    if (!isObject(raw)) return void faults.push(`${location}: must be an object.`)
    const entry = readEntry(raw, location, faults, lookup)
    if (entry && seen.has(entry.issuer)) faults.push(`${location}: "issuer" repeats an earlier entry.`)
    if (entry && (entry.issuer === builtIn || entry.issuer.startsWith(reservedPrefix)))
      faults.push(`${location}: "issuer" is the built-in issuer of this service.`)
    if (entry) seen.add(entry.issuer)
    return entry
  })
  return { entries: entries.filter((entry) => entry !== undefined), faults }
}

function readEntry(raw: RawEntry, location: string, faults: string[], lookup: Lookup): IssuerEntry | undefined {
  const read = new EntryReader(withPreset(raw, new EntryReader(raw, location, faults)), location, faults)
  const issuer = read.text('issuer')
  if (!read.has('issuer')) read.fault('issuer', 'is required.')
  const secret = read.secret('secret', lookup)
  const algorithms = readAlgorithms(read, secret)
  const allowsHttp = read.flag('allowHttp', false)
  const typ = read.text('typ')
  const trustsEmail = read.flag('trustsEmail', false)
  const joinSubjects = read.flag('joinSubjects', false)
  if (joinSubjects && !trustsEmail) read.fault('joinSubjects', 'needs "trustsEmail": true.')
  const entry = {
    algorithms,
    keys: readKeys(read, { issuer, algorithms, allowsHttp }),
    ...(secret && { secret }),
    ...readReceiver(read),
    ...(typ !== undefined && { typ }),
    exactly: read.values('exactly'),
    never: read.values('never'),
    present: read.texts('present') ?? [],
    claims: readClaims(read.inner('claims')),
    ...(read.has('stepUp') && { stepUp: readStepUp(read.inner('stepUp')) }),
    lifetimeMaxSeconds: read.number('lifetimeMaxSeconds', { fallback: 86_400, min: 60, max: 30 * 86_400 }),
    clockToleranceSeconds: read.number('clockToleranceSeconds', { fallback: 5, min: 0, max: 60 }),
    trustsEmail,
    joinSubjects,
    provisions: read.flag('provisions', true),
    refusesIdTokens: read.flag('refusesIdTokens', true),
    ...(read.has('console') && {
      console: readConsoleClient(read.inner('console'), { issuer, faultOf: (at) => addressFault(at, allowsHttp) }),
    }),
  }
  read.finish()
  return issuer === undefined ? undefined : { issuer, ...entry }
}

/** Adds the members of the preset. The entry's own members take precedence, also within `claims`. */
function withPreset(raw: RawEntry, members: EntryReader): RawEntry {
  const { preset: name, ...own } = raw
  if (name === undefined) return raw
  const preset = presets[members.text('preset') ?? '']
  if (!preset || !Object.hasOwn(presets, String(name))) {
    members.fault('preset', `must be one of: ${Object.keys(presets).join(', ')}.`)
    return own
  }
  const issuer = own.issuer ?? shorthandIssuer(preset, members)
  const parties = preset.partyClaim && members.texts('parties')
  const { [preset.shorthand?.member ?? '']: _short, [preset.partyClaim ? 'parties' : '']: _parties, ...rest } = own
  return {
    ...preset.entry,
    ...(preset.keysPath && issuer !== undefined && { keys: `${issuer}${preset.keysPath}` }),
    ...(preset.audienceIsIssuer && { audience: issuer }),
    ...(preset.secretAlgorithm &&
      own.secret !== undefined && { algorithms: [...preset.entry.algorithms, preset.secretAlgorithm] }),
    ...(parties && { party: { claim: preset.partyClaim, oneOf: parties } }),
    ...rest,
    ...(issuer !== undefined && { issuer }),
    ...((own.claims === undefined || isObject(own.claims)) && {
      claims: { ...(isObject(preset.entry.claims) && preset.entry.claims), ...own.claims },
    }),
  }
}

function shorthandIssuer({ shorthand }: Preset, members: EntryReader): string | undefined {
  const value = shorthand && members.text(shorthand.member)
  if (!shorthand || value === undefined) return undefined
  if (!hostPart.test(value)) members.fault(shorthand.member, 'must be a host name without https:// and without a path.')
  return shorthand.issuerOf(value)
}

const hostPart = /^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/

function readClaims(read: EntryReader): ClaimNames {
  const session = read.text('session')
  const organization = read.text('organization')
  const claims = {
    subject: read.text('subject') ?? 'sub',
    ...(session !== undefined && { session }),
    ...(organization !== undefined && { organization }),
    email: read.text('email') ?? 'email',
    emailVerified: read.text('emailVerified') ?? 'email_verified',
    name: read.text('name') ?? 'name',
  }
  read.finish()
  return claims
}

/** `acr` maps values of the claim to a level. */
function readStepUp(read: EntryReader): StepUpClaims {
  const acr = Object.entries(read.values('acr'))
  if (acr.some(([, level]) => level !== 'aal2')) read.fault('acr', 'must map values of the claim to "aal2".')
  const authTime = read.text('authTime')
  const stepUp = {
    acr: acr.map(([value]) => value),
    acrClaim: read.text('acrClaim') ?? 'acr',
    amr: read.texts('amr') ?? [],
    ...(authTime !== undefined && { authTime }),
  }
  read.finish()
  return stepUp
}

/** Minimum bytes of a secret: the length of the hash output (RFC 7518 §3.2). */
const secretBytesMin: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 }
const publicKeyAlgorithms: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** RFC 8725 §3.1: a fixed list for each issuer. Each algorithm needs a key source of the right kind. */
function readAlgorithms(read: EntryReader, secret: Secret | undefined): readonly string[] {
  const algorithms = read.texts('algorithms') ?? []
  if (algorithms.length === 0 && !read.has('algorithms')) read.fault('algorithms', 'is required.')
  const hmac = algorithms.filter((name) => Object.hasOwn(secretBytesMin, name))
  for (const name of algorithms)
    if (!publicKeyAlgorithms.includes(name) && !hmac.includes(name))
      read.fault('algorithms', `must be among: ${[...publicKeyAlgorithms, ...Object.keys(secretBytesMin)].join(', ')}.`)
  if (hmac.length > 0 && !read.has('secret')) read.fault('secret', 'is required for HMAC algorithms (HS…).')
  if (hmac.length === 0 && read.has('secret')) read.fault('secret', 'is not used by any algorithm of this entry.')
  const bytes = secret ? Buffer.byteLength(secret.open()) : undefined
  for (const name of hmac)
    if (bytes !== undefined && bytes < (secretBytesMin[name] ?? 0))
      read.fault('secret', `is shorter than the ${secretBytesMin[name]} bytes that ${name} needs.`)
  return algorithms
}

/** The source of the keys: a URL, an inline key set, or by default the issuer's discovery document. */
function readKeys(
  read: EntryReader,
  {
    issuer,
    algorithms,
    allowsHttp,
  }: { issuer: string | undefined; algorithms: readonly string[]; allowsHttp: boolean },
): KeySource {
  const needsKeys = algorithms.some((name) => publicKeyAlgorithms.includes(name))
  if (read.hasObject('keys')) return inlineKeys(read, needsKeys)
  const url = read.text('keys')
  if (!needsKeys) return { kind: 'none' }
  if (url !== undefined && url !== 'discover') {
    const fault = addressFault(url, allowsHttp)
    if (fault !== undefined) read.fault('keys', fault)
    return { kind: 'address', url }
  }
  const fault = issuer === undefined ? undefined : addressFault(issuer, allowsHttp)
  if (fault !== undefined) read.fault('issuer', `${fault} Or set "keys".`)
  return { kind: 'discovery', url: `${issuer?.replace(/\/$/, '')}/.well-known/openid-configuration`, allowsHttp }
}

function inlineKeys(read: EntryReader, needsKeys: boolean): KeySource {
  const set = read.object('keys') ?? {}
  if (!Array.isArray(set.keys)) read.fault('keys', 'must be a URL, "discover" or a key set: {"keys": […]}.')
  if (!needsKeys) read.fault('keys', 'is not used by any algorithm of this entry.')
  return { kind: 'inline', set }
}

/** Keys sent over http can be forged. Allowed only on loopback, or where the operator sets `allowHttp`. */
export function addressFault(address: string, allowsHttp: boolean): string | undefined {
  if (!URL.canParse(address)) return 'must be an https URL.'
  const { protocol, hostname, username, password, hash } = new URL(address)
  if (username || password || hash) return 'must not contain a user, a password or a fragment.'
  if (protocol === 'https:') return undefined
  const isLocal = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
  if (protocol === 'http:' && (isLocal || allowsHttp)) return undefined
  return 'must be an https URL ("allowHttp": true permits http in your own network).'
}

/**
 * A token must name its receiver. Otherwise Muster would accept every token of the issuer, whichever service it was
 * issued for.
 */
function readReceiver(read: EntryReader): Pick<IssuerEntry, 'audience' | 'party'> {
  const audience = read.texts('audience')
  const party = read.has('party') ? read.inner('party') : undefined
  if (audience && party) read.fault('party', 'and "audience" are both set; remove one.')
  if (!read.has('audience') && !party)
    read.fault('audience', 'is required, or "party" for an issuer that sets no audience.')
  if (!party) return audience ? { audience } : {}
  const claim = party.text('claim') ?? party.fault('claim', 'is required.') ?? ''
  const oneOf = party.texts('oneOf') ?? party.fault('oneOf', 'is required.') ?? []
  party.finish()
  return { ...(audience && { audience }), party: { claim, oneOf } }
}
