import { createHash } from 'node:crypto'
import type { Rows } from '../../platform/database/database.ts'
import type { Client } from '../sessions/client.ts'

/** One try to prove who somebody is. Whoever began it says how it went. */
export interface Attempt {
  /** Whether this try counts at all. While somebody waits, a right password is answered like a wrong one. */
  readonly mayTry: boolean
  /** Something was wrong, or `mayTry` is false: counts a failure. */
  fail(rows: Rows): Promise<void>
  /** Everything was proved: forgets the failures under this name. */
  succeed(rows: Rows): Promise<void>
  /** This was right, and more is asked for: no failure, and nothing is forgotten. */
  giveBack(rows: Rows): Promise<void>
}

/** Failures that cost nothing, for a name and for a network: people mistype, and many people may share one network. */
const freeFailures = { name: 4, network: 20 } as const

/**
 * Begins a try. After the free failures each one costs a wait that doubles from one second to fifteen minutes; a try during
 * a wait does not lengthen it. A day without failures forgets them.
 *
 * Counted per network, and per name. A name is the e-mail address, whether or not there is an account, so that both do the same
 * work; from a network from which the account was signed in to before it is the address and the network, so that a
 * stranger's failures keep nobody out of their own account (ASVS 6.1.1).
 *
 * Once a name has failed, each try is counted before its password is looked at, so that many at once gain nothing. A name
 * without failures may be signed in to many times at once.
 */
export async function beginAttempt(rows: Rows, email: string, { network }: Client): Promise<Attempt> {
  const networkKey = keyOf('network', network)
  const values = [networkKey, keyOf('name', email), keyOf('place', email, network), email, network]
  const [row] = await rows.query<BegunRow>(beginStatement, values)
  if (!row) throw new Error('An attempt was begun and not returned.')
  const { name_key, may_try, is_counted } = row
  return {
    mayTry: may_try,
    async fail(within) {
      await within.query(failStatement, [networkKey, name_key, may_try && !is_counted])
    },
    async succeed(within) {
      await within.query(succeedStatement, [name_key])
    },
    async giveBack(within) {
      if (is_counted) await within.query(giveBackStatement, [name_key])
    },
  }
}

interface BegunRow {
  readonly name_key: Buffer
  readonly may_try: boolean
  /** Whether this try was counted as a failure already. */
  readonly is_counted: boolean
}

function keyOf(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

/** Told apart from any time, so that tries that began in another order than they are counted in do not wait for each other. */
const noWait = `'-infinity'::timestamptz`
const isForgotten = `w.failed_at < now() - interval '1 day'`

/** The wait after one more failure than `w.failures`. */
function waitAfter(free: number): string {
  return `case when w.failures < ${free} or ${isForgotten} then ${noWait}
      else now() + least(interval '15 minutes', interval '1 second' * 2 ^ least(w.failures - ${free}, 20)) end`
}

/** $1 key of the network, $2 of the name, $3 of name and network, $4 e-mail address, $5 network. */
const beginStatement = {
  name: 'attempt_begin',
  text: `
with name as (
  select case when exists (
    select from credential c join session s on s.account_id = c.account_id where c.email = $4 and s.network = $5
  ) then $3::bytea else $2::bytea end as key
), begun as (
  insert into sign_in_wait as w (key, failures, failed_at, waits_until)
  select name.key, 0, now(), ${noWait} from name
  where not exists (select from sign_in_wait n where n.key = $1 and n.waits_until > now())
  on conflict (key) do update set
    failures = case when w.failures = 0 or ${isForgotten} then 0 else w.failures + 1 end,
    failed_at = now(),
    waits_until = case when w.failures = 0 then ${noWait} else ${waitAfter(freeFailures.name)} end
  where w.waits_until <= now()
  returning w.failures
)
select name.key as name_key, exists (select from begun) as may_try,
       exists (select from begun where failures > 0) as is_counted
from name`,
}

function countStatement(key: string, free: number): string {
  return `
  insert into sign_in_wait as w (key, failures, failed_at, waits_until)
  select ${key}
  on conflict (key) do update set
    failures = case when ${isForgotten} then 1 else w.failures + 1 end,
    failed_at = now(),
    waits_until = greatest(w.waits_until, ${waitAfter(free)})`
}

/** $1 key of the network, $2 of the name, $3 whether the name's failure is still to be counted. */
const failStatement = {
  name: 'attempt_fail',
  text: `
with name_counted as (${countStatement(`$2::bytea, 1, now(), ${noWait} where $3::boolean`, freeFailures.name)}
)${countStatement(`$1::bytea, 1, now(), ${noWait}`, freeFailures.network)}`,
}

const succeedStatement = { name: 'attempt_succeed', text: `delete from sign_in_wait where key = $1` }

const giveBackStatement = {
  name: 'attempt_give_back',
  text: `update sign_in_wait set failures = greatest(failures - 1, 0), waits_until = ${noWait} where key = $1`,
}
