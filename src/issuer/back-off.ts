import { createHash } from 'node:crypto'
import type { Rows } from '../database/database.ts'
import type { Client } from './client.ts'

/** One try to prove who somebody is, counted as a failure until it turns out to be none. */
export interface Attempt {
  /** Whether this try counts at all. While somebody waits, a right password is answered like a wrong one. */
  readonly mayTry: boolean
  /** Everything was proved: forgets the failures under this name, and takes this try back from the network. */
  succeed(rows: Rows): Promise<void>
  /** This was right, and more is asked for: takes back this try, and forgets nothing. */
  giveBack(rows: Rows): Promise<void>
}

/** Failures that cost nothing, for a name and for a network: people mistype, and many people may share one network. */
const freeFailures = { name: 4, network: 20 } as const

/**
 * Begins a try, in one statement that also counts it: of many tries at once each is counted before its password is looked at.
 * After the free failures each one costs a wait that doubles from one second to fifteen minutes; a try during a wait does not
 * lengthen it. A day without failures forgets them.
 *
 * Counted per network, and per name. A name is the e-mail address, whether or not there is an account, so that both do the same
 * work; from a network from which the account was signed in to before it is the address and the network, so that a
 * stranger's failures keep nobody out of their own account (ASVS 6.1.1).
 */
export async function beginAttempt(rows: Rows, email: string, { network }: Client): Promise<Attempt> {
  const networkKey = keyOf('network', network)
  const values = [networkKey, keyOf('name', email), keyOf('place', email, network), email, network]
  const [row] = await rows.query<{ may_try: boolean; name_key: Buffer }>(beginStatement, values)
  if (!row) throw new Error('An attempt was begun and not returned.')
  return {
    mayTry: row.may_try,
    async succeed(within) {
      if (row.may_try) await within.query(succeedStatement, [networkKey, row.name_key])
    },
    async giveBack(within) {
      if (row.may_try) await within.query(giveBackStatement, [[networkKey, row.name_key]])
    },
  }
}

function keyOf(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

/** Counts one failure under a key, unless it waits. The wait is told by the number of failures with this one. */
function countStatement(key: string, free: number): string {
  return `
  insert into sign_in_wait as w (key, failures, failed_at, waits_until)
  ${key}
  on conflict (key) do update set
    failures = case when w.failed_at < now() - interval '1 day' then 1 else w.failures + 1 end,
    failed_at = now(),
    waits_until = case when w.failures < ${free} or w.failed_at < now() - interval '1 day' then now()
      else now() + least(interval '15 minutes', interval '1 second' * 2 ^ least(w.failures - ${free}, 20)) end
  where w.waits_until <= now()
  returning w.key`
}

/** $1 key of the network, $2 of the name, $3 of name and network, $4 e-mail address, $5 network. */
const beginStatement = {
  name: 'attempt_begin',
  text: `
with name as (
  select case when exists (
    select from credential c join session s on s.account_id = c.account_id where c.email = $4 and s.network = $5
  ) then $3::bytea else $2::bytea end as key
), network_counted as (${countStatement('values ($1::bytea, 1, now(), now())', freeFailures.network)}
), name_counted as (${countStatement(
    'select name.key, 1, now(), now() from name where exists (select from network_counted)',
    freeFailures.name,
  )}
)
select exists (select from name_counted) as may_try, name.key as name_key from name`,
}

/** $1 key of the network, $2 of the name. */
const succeedStatement = {
  name: 'attempt_succeed',
  text: `
with forgotten as (delete from sign_in_wait where key = $2)
update sign_in_wait set failures = greatest(failures - 1, 0), waits_until = now() where key = $1`,
}

/** $1 both keys. */
const giveBackStatement = {
  name: 'attempt_give_back',
  text: `update sign_in_wait set failures = greatest(failures - 1, 0), waits_until = now() where key = any($1::bytea[])`,
}
