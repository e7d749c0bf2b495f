import { createHash } from 'node:crypto'
import type { Rows } from '../../platform/database/database.ts'
import type { Client } from '../sessions/client.ts'

/** One attempt to authenticate. Its caller reports how it ended. */
export interface LoginAttempt {
  /** False while the name or the network is throttled: a right password is then refused like a wrong one. */
  readonly isAllowed: boolean
  /** The proof was wrong, or the attempt was not allowed: counts a failure. */
  fail(rows: Rows): Promise<void>
  /** The sign-in is complete: clears the failures of the name. */
  succeed(rows: Rows): Promise<void>
  /** The proof was right but completes no sign-in: neither counts a failure nor clears any. */
  release(rows: Rows): Promise<void>
}

/** Failures without a delay, for a name and for a network: users mistype, and many users may share one network. */
const freeFailures = { name: 4, network: 20 } as const

/**
 * Begins an attempt. After the free failures each failure causes a delay, which doubles from one second to fifteen minutes; an
 * attempt during the delay does not extend it. A day without failures resets the count.
 *
 * Failures count per network and per name. The name is the e-mail address, whether or not an account has it, so that the work is
 * the same. From a network that the account has signed in from before, the name is the address together with the network: then
 * the failures of an attacker elsewhere do not lock the user out (ASVS 6.1.1).
 *
 * Once a name has a failure, each attempt counts before its password is verified, so that parallel attempts gain nothing. A name
 * without failures allows any number of parallel attempts.
 */
export async function beginLoginAttempt(rows: Rows, email: string, { network }: Client): Promise<LoginAttempt> {
  const networkKey = keyOf('network', network)
  const values = [networkKey, keyOf('name', email), keyOf('place', email, network), email, network]
  const [row] = await rows.query<AttemptRow>(beginStatement, values)
  if (!row) throw new Error('The statement that begins a login attempt returned no row.')
  const { name_key, is_allowed, is_counted } = row
  return {
    isAllowed: is_allowed,
    async fail(within) {
      await within.query(failStatement, [networkKey, name_key, is_allowed && !is_counted])
    },
    async succeed(within) {
      await within.query(succeedStatement, [name_key])
    },
    async release(within) {
      if (is_counted) await within.query(releaseStatement, [name_key])
    },
  }
}

interface AttemptRow {
  readonly name_key: Buffer
  readonly is_allowed: boolean
  /** Whether the attempt already counts as a failure. */
  readonly is_counted: boolean
}

function keyOf(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

/** Before every time, so that attempts that are counted in another order than they began do not delay each other. */
const noDelay = `'-infinity'::timestamptz`
const isForgotten = `w.failed_at < now() - interval '1 day'`

/** The end of the delay after one more failure than `w.failures`. */
function delayedUntil(free: number): string {
  return `case when w.failures < ${free} or ${isForgotten} then ${noDelay}
      else now() + least(interval '15 minutes', interval '1 second' * 2 ^ least(w.failures - ${free}, 20)) end`
}

/** $1 key of the network, $2 of the name, $3 of name and network, $4 e-mail address, $5 network. */
const beginStatement = {
  name: 'login_attempt_begin',
  text: `
with name as (
  select case when exists (
    select from credential c join session s on s.account_id = c.account_id where c.email = $4 and s.network = $5
  ) then $3::bytea else $2::bytea end as key
), attempt as (
  insert into sign_in_wait as w (key, failures, failed_at, waits_until)
  select name.key, 0, now(), ${noDelay} from name
  where not exists (select from sign_in_wait n where n.key = $1 and n.waits_until > now())
  on conflict (key) do update set
    failures = case when w.failures = 0 or ${isForgotten} then 0 else w.failures + 1 end,
    failed_at = now(),
    waits_until = case when w.failures = 0 then ${noDelay} else ${delayedUntil(freeFailures.name)} end
  where w.waits_until <= now()
  returning w.failures
)
select name.key as name_key, exists (select from attempt) as is_allowed,
       exists (select from attempt where failures > 0) as is_counted
from name`,
}

function countStatement(key: string, free: number): string {
  return `
  insert into sign_in_wait as w (key, failures, failed_at, waits_until)
  select ${key}
  on conflict (key) do update set
    failures = case when ${isForgotten} then 1 else w.failures + 1 end,
    failed_at = now(),
    waits_until = greatest(w.waits_until, ${delayedUntil(free)})`
}

/** $1 key of the network, $2 of the name, $3 whether the failure of the name is not counted yet. */
const failStatement = {
  name: 'login_attempt_fail',
  text: `
with name_counted as (${countStatement(`$2::bytea, 1, now(), ${noDelay} where $3::boolean`, freeFailures.name)}
)${countStatement(`$1::bytea, 1, now(), ${noDelay}`, freeFailures.network)}`,
}

const succeedStatement = { name: 'login_attempt_succeed', text: `delete from sign_in_wait where key = $1` }

const releaseStatement = {
  name: 'login_attempt_release',
  text: `update sign_in_wait set failures = greatest(failures - 1, 0), waits_until = ${noDelay} where key = $1`,
}
