import { Gauge, type Registry } from '@prometheus-io/client'
import type { Rows } from '../../platform/database/database.ts'
import { type Bucket, buckets, codeFailuresMax, emptyBuckets, readStates, waitSeconds } from './buckets.ts'

/** Clears all rate limits of an account: by email, network, device, session and code. */
export async function emptyAccountBuckets(rows: Rows, accountId: string): Promise<void> {
  const [account] = await rows.query<AccountRow>(chargedStatement, [accountId])
  if (!account) return
  await emptyBuckets(
    rows,
    bucketsOfAccount(accountId, account).map(({ bucket }) => bucket.key),
  )
}

/** A rate limit that blocks sign-ins to an account. */
interface Lockout {
  readonly scope: Scope
  /** RFC 3339. Absent if the limit does not end by itself. */
  readonly until?: string
}

type Scope = 'unknown_devices' | 'known_network' | 'device' | 'session' | 'second_step'

/** Reads the limits that are exhausted now. Per scope, returns the one that lasts longest. */
export async function readLockouts(rows: Rows, accountId: string): Promise<Lockout[]> {
  const [account] = await rows.query<AccountRow>(chargedStatement, [accountId])
  if (!account) return []
  const charged = bucketsOfAccount(accountId, account)
  const states = await readStates(
    rows,
    charged.map(({ bucket }) => bucket),
  )
  const longest = new Map<Scope, Lockout & { readonly seconds: number }>()
  for (const { scope, bucket } of charged) {
    const state = states(bucket)
    const isLocked = scope === 'second_step' && state.failures >= codeFailuresMax
    const seconds = isLocked ? Number.POSITIVE_INFINITY : waitSeconds(bucket, state)
    if (seconds <= (longest.get(scope)?.seconds ?? 0)) continue
    const until = new Date(account.now.getTime() + Math.ceil(seconds) * 1_000)
    longest.set(scope, { scope, seconds, ...(!isLocked && { until: until.toISOString() }) })
  }
  return [...longest.values()].map(({ seconds: _seconds, ...wait }) => wait)
}

function bucketsOfAccount(accountId: string, { email, networks, devices, sessions }: AccountRow): readonly Charged[] {
  return [
    { scope: 'unknown_devices', bucket: buckets.name(email) },
    ...networks.map((network) => ({ scope: 'known_network' as const, bucket: buckets.nameInNetwork(email, network) })),
    ...devices.map((hash) => ({ scope: 'device' as const, bucket: buckets.device(Buffer.from(hash, 'hex')) })),
    ...sessions.map((id) => ({ scope: 'session' as const, bucket: buckets.session(id) })),
    { scope: 'second_step', bucket: buckets.code(accountId) },
  ]
}

interface Charged {
  readonly scope: Scope
  readonly bucket: Bucket
}

/** Clears the limit on codes. */
export async function emptyCodeBucket(rows: Rows, accountId: string): Promise<void> {
  await emptyBuckets(rows, [buckets.code(accountId).key])
}

interface AccountRow {
  readonly email: string
  readonly now: Date
  readonly networks: readonly string[]
  /** Hashes of device tokens, in hexadecimal. */
  readonly devices: readonly string[]
  readonly sessions: readonly string[]
}

const chargedStatement = {
  name: 'account_charged',
  text: `
select c.email, now(),
       array(select distinct s.network from session s
             where s.account_id = c.account_id and s.network is not null limit 1000) as networks,
       array(select encode(d.hash, 'hex') from device d where d.account_id = c.account_id limit 100) as devices,
       array(select s.id::text from session s
             where s.account_id = c.account_id and s.ended_at is null limit 1000) as sessions
from credential c
where c.account_id = $1`,
}

/** A gauge of active sign-in rate limits, read from the database by each scrape. */
export function registerSignInLockouts(registry: Registry, rows: Rows): void {
  new Gauge({
    name: 'muster_sign_in_waits',
    help: 'Active sign-in rate limits: of accounts (emails, devices, sessions, second steps) and of networks.',
    labelNames: ['scope'],
    registers: [registry],
    async collect() {
      // Reports NaN while the database is down, so that the rest of the scrape succeeds.
      const [row] = await rows.query<{ account: number; network: number }>(waitsStatement, []).catch(() => [])
      this.set({ scope: 'account' }, row?.account ?? Number.NaN)
      this.set({ scope: 'network' }, row?.network ?? Number.NaN)
    },
  })
}

/** No limit lasts longer than ten steps of one hour. */
const waitsStatement = {
  name: 'sign_in_waits',
  text: `
select count(*) filter (where scope = 'account')::int as account, count(*) filter (where scope = 'network')::int as network
from sign_in_bucket
where touched_at > now() - interval '11 hours' and full_at - now() > (capacity - 1) * step`,
}
