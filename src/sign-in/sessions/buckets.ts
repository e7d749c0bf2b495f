import { createHash } from 'node:crypto'
import { type Database, type Rows, unnestOf } from '../../platform/database/database.ts'

/**
 * A GCRA bucket: it has `capacity` units, each attempt takes one, and one comes back every `stepSeconds`. Source:
 * docs/decisions/passwords.md.
 */
export interface Bucket {
  /** SHA-256, so that the table contains no email that a user typed. */
  readonly key: Buffer
  /** What the bucket counts: failures of an account or a network, or calls whatever their outcome. */
  readonly scope: 'account' | 'network' | 'calls'
  readonly capacity: number
  readonly stepSeconds: number
  /** After `afterFailures` failures without a success, units come back more slowly. */
  readonly slower?: { readonly afterFailures: number; readonly stepSeconds: number }
}

export interface BucketState {
  /** Seconds until all units are back. Negative if that time has passed. */
  readonly fullInSeconds: number
  /** Attempts since the last success. */
  readonly failures: number
}

export const unusedState: BucketState = { fullInSeconds: 0, failures: 0 }

const minute = 60
export const codeCapacity = 5
const ofName = {
  scope: 'account',
  capacity: 10,
  stepSeconds: 15 * minute,
  slower: { afterFailures: 100, stepSeconds: 60 * minute },
} as const

/** The buckets by scope. `email` is normalized and need not have an account. */
export const buckets = {
  /** Attempts from unknown devices. */
  name: (email: string): Bucket => ({ key: keyOf('name', email), ...ofName }),
  /** Attempts from unknown devices in a network that the account has signed in from. */
  nameInNetwork: (email: string, network: string): Bucket => ({ key: keyOf('name', email, network), ...ofName }),
  /** Attempts with a device token of the account. `hash` is the stored form of the token. */
  device: (hash: Buffer): Bucket => ({
    key: keyOf('device', hash.toString('hex')),
    scope: 'account',
    capacity: 10,
    stepSeconds: 10 * minute,
  }),
  /** Passwords and codes sent in an open session. */
  session: (sessionId: string): Bucket => ({
    key: keyOf('session', sessionId),
    scope: 'account',
    capacity: 10,
    stepSeconds: 10 * minute,
  }),
  /** Codes of second factors and recovery codes. */
  code: (accountId: string): Bucket => ({
    key: keyOf('code', accountId),
    scope: 'account',
    capacity: codeCapacity,
    stepSeconds: 15 * minute,
  }),
  /** Attempts from unknown devices in one network, for any email. */
  network: (network: string): Bucket => ({ key: keyOf('network', network), scope: 'network', ...ofNetwork(network) }),
} as const

/** Counts calls per minute. A correct proof returns no unit. */
export interface CallBucket extends Bucket {
  /** The name of the limit in the header `RateLimit`. */
  readonly name: 'sign-ins' | 'wide-sign-ins' | 'device-sign-ins'
}

/** `holder`: a network, a device or an account. */
export function callBucket(name: CallBucket['name'], perMinute: number, holder: string): CallBucket {
  const key = keyOf('calls', name, holder)
  return { name, key, scope: 'calls', capacity: perMinute, stepSeconds: minute / perMinute }
}

/** Failures without a success after which a device token is revoked or a session ends. */
export const failuresMax = 50
/** Failures without a success after which codes of authenticator apps are refused (NIST SP 800-63B §3.2.2). */
export const codeFailuresMax = 100
/** Units that a success returns to its networks, so that one or two typos cost nothing. */
const unitsReturnedMax = 3

/** Seconds until the next attempt is allowed. Zero or less if it is allowed now. */
export function waitSeconds(bucket: Bucket, { fullInSeconds, failures }: BucketState): number {
  return fullInSeconds - (bucket.capacity - 1) * stepSecondsAfter(bucket, failures)
}

/** The state after an allowed attempt. */
export function afterTry(bucket: Bucket, { fullInSeconds, failures }: BucketState): BucketState {
  return { fullInSeconds: Math.max(fullInSeconds, 0) + stepSecondsAfter(bucket, failures), failures: failures + 1 }
}

function stepSecondsAfter({ stepSeconds, slower }: Bucket, failures: number): number {
  return slower && failures >= slower.afterFailures ? slower.stepSeconds : stepSeconds
}

/** Wider networks have more users, and more addresses of one attacker. */
function ofNetwork(network: string): { readonly capacity: number; readonly stepSeconds: number } {
  if (network.endsWith('/48') || network.endsWith('/24')) return { capacity: 400, stepSeconds: 0.75 }
  return network.endsWith('/56') ? { capacity: 200, stepSeconds: 1.5 } : { capacity: 100, stepSeconds: 3 }
}

function keyOf(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

/** The buckets that one proof is charged to: its own, and those of its networks from narrow to wide. */
export interface Charge {
  readonly own: Bucket
  readonly networks: readonly Bucket[]
}

export function bucketsOf({ own, networks }: Charge): readonly Bucket[] {
  return [own, ...networks]
}

export type States = (bucket: Bucket) => BucketState

interface StateRow extends BucketState {
  /** In hexadecimal. */
  readonly key: string
}

export async function readStates(rows: Rows, charged: readonly Bucket[]): Promise<States> {
  return statesOf(await rows.query<StateRow>(readStatement, [charged.map(({ key }) => key)]))
}

export function statesOf(found: readonly StateRow[]): States {
  const byKey = new Map(found.map((row) => [row.key, row]))
  return ({ key }) => byKey.get(key.toString('hex')) ?? unusedState
}

/**
 * Takes one unit from every bucket of an attempt, in one statement, and returns the states afterwards. If one bucket is
 * exhausted, takes nothing and returns `undefined`. `charge`: the buckets of the proof, absent if none is checked.
 */
export async function takeUnits(
  database: Database,
  calls: readonly Bucket[],
  charge?: Charge,
): Promise<States | undefined> {
  const charged = charge ? [...bucketsOf(charge), ...calls] : calls
  if (charged.length === 0) return () => unusedState
  const values = [
    charged.map(({ key }) => key),
    charged.map(({ scope }) => scope),
    charged.map(({ capacity }) => capacity),
    charged.map(({ stepSeconds }) => stepSeconds),
    charged.map(({ slower }) => slower?.afterFailures ?? null),
    charged.map(({ slower }) => slower?.stepSeconds ?? null),
    charge?.own.key ?? null,
    charge?.networks[0]?.key ?? null,
  ]
  try {
    return await database.transaction(async (rows) => {
      const taken = await rows.query<StateRow>(takeStatement, values)
      if (taken.length < charged.length) throw new NoUnitLeft()
      return statesOf(taken)
    })
  } catch (error) {
    if (error instanceof NoUnitLeft) return undefined
    throw error
  }
}

/** Thrown to roll back the transaction. */
class NoUnitLeft extends Error {}

/**
 * Records a correct proof: empties the attempt's own bucket, and returns to its networks the units that this email was
 * charged.
 */
export async function recordSuccess(rows: Rows, { own, networks }: Charge): Promise<void> {
  const keys = networks.map(({ key }) => key)
  await rows.query(successStatement, [own.key, keys, networks[0]?.key ?? null, unitsReturnedMax])
}

/** Returns the units of an attempt whose proof was not verified. */
export async function returnUnits(rows: Rows, charge: Charge): Promise<void> {
  await rows.query(returnStatement, [bucketsOf(charge).map(({ key }) => key)])
}

/** Deletes buckets by key. Returns how many of them existed. */
export async function emptyBuckets(rows: Rows, keys: readonly Buffer[]): Promise<number> {
  return (await rows.query(emptyStatement, [keys])).length
}

const stateColumns = `encode(key, 'hex') as key, extract(epoch from full_at - now())::float8 as "fullInSeconds", failures`

const readStatement = {
  name: 'sign_in_buckets_read',
  text: `select ${stateColumns} from sign_in_bucket where key = any($1::bytea[])`,
}

/** The step of an existing row, which depends on its failures. */
const stepOfRow = `(
      select make_interval(secs => case when b.failures >= a.slower_after then a.slower_step else a.step end)
      from charged a where a.key = b.key)`

/**
 * Per bucket: $1 key, $2 scope, $3 capacity, $4 step, $5 failures after which the step is $6. $7 the attempt's own key,
 * $8 the key of its narrowest network. All statements lock rows in key order to avoid deadlocks. The condition is
 * evaluated on the locked row: a check before the insert would let too many concurrent attempts through.
 */
const takeStatement = {
  name: 'sign_in_buckets_take',
  text: `
with charged as (
  select * from ${unnestOf('bytea', 'text', 'int', 'float8', 'int', 'float8')}
    as a(key, scope, capacity, step, slower_after, slower_step)
)
insert into sign_in_bucket as b (key, scope, full_at, failures, capacity, step, last_network, last_network_units)
select key, scope, now() + make_interval(secs => step), 1, capacity, make_interval(secs => step),
       case when key = $7 then $8::bytea end, (key = $7 and $8::bytea is not null)::int
from charged
order by key
on conflict (key) do update set
  full_at = greatest(b.full_at, now()) + ${stepOfRow},
  failures = b.failures + 1,
  capacity = excluded.capacity,
  step = ${stepOfRow},
  last_network = excluded.last_network,
  last_network_units = case when b.last_network = excluded.last_network
    then least(b.last_network_units + 1, ${unitsReturnedMax}) else excluded.last_network_units end,
  touched_at = now()
where b.full_at - now() <= (excluded.capacity - 1) * ${stepOfRow}
returning ${stateColumns}`,
}

/** $1 own key, $2 keys of the networks, $3 key of the narrowest network, $4 maximum number of units to return. */
const successStatement = {
  name: 'sign_in_buckets_success',
  text: `
with locked as materialized (
  select key, last_network, last_network_units from sign_in_bucket
  where key = any($2::bytea[] || $1::bytea) order by key for update
), emptied as (
  delete from sign_in_bucket b using locked l where b.key = l.key and l.key = $1
)
update sign_in_bucket b set full_at = b.full_at - least($4::int, own.last_network_units) * b.step
from locked own, locked network
where own.key = $1 and own.last_network = $3 and network.key = any($2::bytea[]) and b.key = network.key`,
}

const returnStatement = {
  name: 'sign_in_buckets_return',
  text: `
with locked as materialized (select key from sign_in_bucket where key = any($1::bytea[]) order by key for update)
update sign_in_bucket b
set full_at = b.full_at - b.step, failures = greatest(b.failures - 1, 0),
    last_network_units = greatest(b.last_network_units - 1, 0)
from locked where b.key = locked.key`,
}

const emptyStatement = {
  name: 'sign_in_buckets_empty',
  text: `
with locked as materialized (select key from sign_in_bucket where key = any($1::bytea[]) order by key for update)
delete from sign_in_bucket b using locked where b.key = locked.key returning b.key`,
}
