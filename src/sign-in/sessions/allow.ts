import type { Database, Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import { opaqueTokenHash, type Secret } from '../../platform/secret.ts'
import {
  type BucketState,
  buckets,
  bucketsOf,
  type CallBucket,
  type Charge,
  codeFailuresMax,
  readStates,
  recordSuccess,
  returnUnits,
  type States,
  statesOf,
  takeUnits,
  waitSeconds,
} from './buckets.ts'
import type { Client } from './client.ts'

/** An attempt to authenticate. */
export type Attempt =
  | SignInAttempt
  /** With the password or a code, in an open session. */
  | { readonly kind: 'session'; readonly sessionId: string }
  /**
   * With a second factor or a recovery code. TOTP codes can be guessed, so they are rejected after too many failures.
   */
  | { readonly kind: 'code'; readonly accountId: string; readonly isOfApp: boolean }

/** With a password, for an email with or without an account. */
interface SignInAttempt {
  readonly kind: 'sign-in'
  /** Normalized. */
  readonly email: string
  readonly client: Client
  readonly deviceToken?: Secret | undefined
  readonly calls: CallLimits
}

/** The limits on the calls of one client. They count every attempt, also if its password is not checked. */
export interface CallLimits {
  /** `hash` is the stored form of the token. */
  ofDevice(hash: Buffer): CallBucket
  ofNetworks(networks: readonly string[]): readonly CallBucket[]
  /** Problem: `rate_limited` if a bucket is exhausted. */
  requireUnits(charged: readonly CallBucket[], states: States): void
  /** Takes note of the states after the call was counted. */
  counted(charged: readonly CallBucket[], states: States): void
}

export type Decision = Allowed | Refused

export interface Allowed {
  readonly isAllowed: true
  /** The client has a session or a device token of the account, or has passed one factor. */
  readonly isKnown: boolean
  /** The device whose token was sent. */
  readonly deviceId?: string
  /** Attempts since the last success, including this one. */
  readonly failures: number
  /** The proof was correct: returns the unit and empties the attempt's own bucket. */
  succeeded(rows: Rows): Promise<void>
  /** The proof was not verified: returns the units. */
  returnUnits(rows: Rows): Promise<void>
}

export interface Refused {
  readonly isAllowed: false
  /** Which limit is exhausted. */
  readonly scope: 'account' | 'network'
  /** Seconds until the next attempt. Absent if waiting does not help, after too many wrong codes. */
  readonly retryAfterSeconds?: number
}

/**
 * Checks the rate limits of an attempt and charges it before its proof is verified, so that parallel attempts gain
 * nothing. A rejected attempt takes no unit of its proof. Problem: `rate_limited` for too many calls.
 */
export async function allow(database: Database, attempt: Attempt, limits?: AttemptLimits): Promise<Decision> {
  const { charges, calls, deviceId, states: firstStates } = limits ?? (await readAttemptLimits(database, attempt))
  for (let races = 0; ; races += 1) {
    const isFirst = races === 0 && firstStates !== undefined
    const states = isFirst ? firstStates : await readStates(database, [...charges.flatMap(bucketsOf), ...calls])
    if (attempt.kind === 'sign-in') attempt.calls.requireUnits(calls, states)
    const [first] = charges
    if (isCodeLocked(attempt, first, states)) return { isAllowed: false, scope: 'account' }
    const isLast = races === racesMax
    const charge = isLast ? undefined : charges.find((one) => waitOf(one, states).seconds <= 0)
    const after = await takeUnits(database, calls, charge)
    if (!after && !isLast) continue
    if (after && attempt.kind === 'sign-in') attempt.calls.counted(calls, after)
    if (!after || !charge) return refusal(charges, states)
    return allowed(charge, after(charge.own).failures, deviceId)
  }
}

function allowed(charge: PossibleCharge, failures: number, deviceId: string | undefined): Allowed {
  return {
    isAllowed: true,
    isKnown: charge.isKnown,
    ...(deviceId !== undefined && { deviceId }),
    failures,
    succeeded: (rows) => recordSuccess(rows, charge),
    returnUnits: (rows) => returnUnits(rows, charge),
  }
}

/** Problem: `sign_in_wait`. */
export async function allowOrRefuse(database: Database, attempt: Attempt): Promise<Allowed> {
  const decision = await allow(database, attempt)
  return decision.isAllowed ? decision : refuseAttempt(decision)
}

/**
 * Rejects an attempt. Problems: `sign_in_wait`; `code_refused` if waiting does not help. `byMail`: a mailed recovery
 * link makes the device known.
 */
export function refuseAttempt({ scope, retryAfterSeconds }: Refused, { byMail = false } = {}): never {
  if (retryAfterSeconds === undefined)
    return refuse('code_refused', {
      detail: 'Too many wrong codes. Use a passkey or a recovery code, or ask an operator.',
    })
  return refuse('sign_in_wait', { scope, ways: byMail ? [...ways, 'recovery'] : ways, retryAfterSeconds })
}

/** Runs the verification of an allowed attempt. If it throws, returns the attempt's units. */
export async function verifyOrReturnUnits<Verdict>(
  database: Database,
  allowed: Allowed,
  work: () => Promise<Verdict>,
): Promise<Verdict> {
  try {
    return await work()
  } catch (error) {
    await allowed.returnUnits(database)
    throw error
  }
}

/**
 * How a user can sign in despite the limit. Depends only on the configuration, so that it reveals nothing about the
 * account.
 */
const ways = ['known_device', 'second_factor'] as const

/** How often units are read again because concurrent attempts took them in between. */
const racesMax = 5

interface PossibleCharge extends Charge {
  /** As in `Allowed`. */
  readonly isKnown: boolean
}

interface AttemptLimits {
  /** What the proof may be charged to, in order of preference. */
  readonly charges: readonly PossibleCharge[]
  /** What the call is charged to, unless it was counted before. */
  readonly calls: readonly CallBucket[]
  /** The device whose token was sent, if the account knows it. */
  readonly deviceId?: string
  /** Present if the states were read together with the facts about the client. */
  readonly states?: States
}

export async function readAttemptLimits(rows: Rows, attempt: Attempt): Promise<AttemptLimits> {
  if (attempt.kind === 'sign-in') return readSignInLimits(rows, attempt)
  const own = attempt.kind === 'session' ? buckets.session(attempt.sessionId) : buckets.code(attempt.accountId)
  return { charges: [{ own, networks: [], isKnown: true }], calls: [] }
}

async function readSignInLimits(
  rows: Rows,
  { email, client, deviceToken, calls }: SignInAttempt,
): Promise<AttemptLimits> {
  const [network] = client.networks
  const hash = deviceToken && opaqueTokenHash(deviceToken.open())
  const device = hash && { own: buckets.device(hash), call: calls.ofDevice(hash) }
  const networkCalls = calls.ofNetworks(client.networks)
  const byName = buckets.name(email)
  const inNetwork = network === undefined ? undefined : buckets.nameInNetwork(email, network)
  const networks = client.networks.map(buckets.network)
  const possible = [byName, ...(inNetwork ? [inNetwork] : []), ...networks, ...networkCalls]
  if (device) possible.push(device.own, device.call)
  const values = [email, network ?? null, hash ?? null, possible.map(({ key }) => key)]
  const [known] = await rows.query<KnownRow>(knownStatement, values)
  const states = statesOf(known?.states ?? [])
  const own = inNetwork && known?.isKnownNetwork ? inNetwork : byName
  const asUnknown = { own, networks, isKnown: false }
  const charged = device && known?.deviceId ? [device.call] : networkCalls
  calls.requireUnits(charged, states)
  if (!device || !known?.deviceId) return { charges: [asUnknown], calls: networkCalls, states }
  // A device whose own limit is exhausted counts as unknown.
  const asDevice = { own: device.own, networks: [], isKnown: true }
  return { charges: [asDevice, asUnknown], calls: [device.call], deviceId: known.deviceId, states }
}

interface KnownRow {
  readonly deviceId: string | null
  readonly isKnownNetwork: boolean
  /** Only buckets that have a row. */
  readonly states: readonly (BucketState & { readonly key: string })[] | null
}

/** NIST SP 800-63B §3.2.2: the authenticator is disabled. Only a client with the correct password learns this. */
function isCodeLocked(attempt: Attempt, charge: Charge | undefined, states: States): boolean {
  if (attempt.kind !== 'code' || !attempt.isOfApp || !charge) return false
  return states(charge.own).failures >= codeFailuresMax
}

/** The longest wait of the charged buckets. */
function waitOf({ own, networks }: Charge, states: States) {
  const waits = [
    { scope: 'account' as const, seconds: waitSeconds(own, states(own)) },
    ...networks.map((network) => ({ scope: 'network' as const, seconds: waitSeconds(network, states(network)) })),
  ]
  return waits.reduce((longest, wait) => (wait.seconds > longest.seconds ? wait : longest))
}

function refusal(charges: readonly Charge[], states: States): Refused {
  const waits = charges.map((charge) => waitOf(charge, states))
  const { scope, seconds } = waits.reduce((shortest, wait) => (wait.seconds < shortest.seconds ? wait : shortest))
  return { isAllowed: false, scope, retryAfterSeconds: Math.max(1, Math.ceil(seconds)) }
}

/**
 * $1 email, $2 network, $3 hash of a device token, $4 keys of buckets. The five latest networks of the last 30 days are
 * known.
 */
const knownStatement = {
  name: 'sign_in_known',
  text: `
select (
    select d.id from device d
    where d.hash = $3::bytea and d.account_id = c.account_id and d.last_used_at > now() - interval '180 days'
  ) as "deviceId",
  exists (
    select from (
      select latest.network from (
        select s.network, s.created_at from session s
        where s.account_id = c.account_id and s.network is not null and s.created_at > now() - interval '30 days'
        order by s.created_at desc limit 500
      ) latest
      group by latest.network order by max(latest.created_at) desc limit 5
    ) known
    where known.network = $2::text
  ) as "isKnownNetwork",
  (
    select json_agg(json_build_object('key', encode(b.key, 'hex'), 'failures', b.failures,
                                      'fullInSeconds', extract(epoch from b.full_at - now())::float8))
    from sign_in_bucket b where b.key = any($4::bytea[])
  ) as states
from (select) one left join credential c on c.email = $1`,
}
