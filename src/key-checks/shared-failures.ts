import type { Clock } from '../platform/clock.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { lockStatement } from '../platform/database/named-locks.ts'
import { Problem } from '../platform/problems.ts'
import {
  createFailureCounts,
  type FailureCounts,
  heldMs,
  type NoPlace,
  type Places,
  waitFor,
} from './engine/failures.ts'

/**
 * Failed authentications of all nodes and commands that use the database. While it does not answer, each process counts for itself.
 * A window of `windowMs` milliseconds follows the clocks of the nodes.
 */
export function sharedFailureCounts(
  database: Pick<Database, 'query' | 'transaction'>,
  { windowMs, now }: { readonly windowMs: number; readonly now: Clock },
): FailureCounts {
  const ofProcess = createFailureCounts(windowMs, now)

  async function record(provider: string, failures: number, held: readonly string[]): Promise<void> {
    await database.query(recordStatement, [provider, failures, now() + windowMs, held, now()])
  }

  return {
    add: (provider, failures) =>
      whereReachable(
        () => record(provider, failures, []),
        () => ofProcess.add(provider, failures),
      ),
    take: (provider, places, max) =>
      whereReachable(
        () => database.transaction((rows) => take(rows, { provider, places, max, nowMs: now(), settle })),
        () => ofProcess.take(provider, places, max),
      ),
  }

  function settle(provider: string, failures: number, held: readonly string[]): Promise<void> {
    return whereReachable(
      () => record(provider, failures, held),
      () => ofProcess.add(provider, failures),
    )
  }
}

/** The database, or this process where the database does not answer or takes no changes. */
async function whereReachable<Result>(shared: () => Promise<Result>, own: () => Promise<Result>): Promise<Result> {
  try {
    return await shared()
  } catch (error) {
    if (error instanceof Problem && (error.code === 'database_unavailable' || error.code === 'read_only')) return own()
    throw error
  }
}

interface Asked {
  readonly provider: string
  readonly places: number
  readonly max: number
  readonly nowMs: number
  readonly settle: (provider: string, failures: number, held: readonly string[]) => Promise<void>
}

/** One after the other for each provider, until the transaction ends: two that count at once would take the same places. */
async function take(rows: Rows, { provider, places, max, nowMs, settle }: Asked): Promise<Places | NoPlace> {
  await rows.query(providerLock, [provider])
  const [counted] = await rows.query<{ held: number; ends: string[] }>(countStatement, [provider, nowMs])
  const { held = 0, ends = [] } = counted ?? {}
  const missing = ends.length + held + places - max
  if (missing > 0) return { kind: 'no_place', waitMs: waitFor(missing - held, ends.map(Number), nowMs) }
  const taken = await rows.query<{ id: string }>(holdStatement, [provider, places, nowMs + heldMs])
  const ids = taken.map(({ id }) => id)
  return { kind: 'places', settle: (failures) => settle(provider, failures, ids) }
}

const providerLock = lockStatement('provider_lock', {
  name: `'provider ' || $1::text`,
  former: `hashtext('provider_failure'), hashtext($1::text)`,
})

const countStatement = {
  name: 'provider_failures_count',
  text: `
select count(*) filter (where is_held)::int as held,
       coalesce(array_agg(ends_at order by ends_at) filter (where not is_held), '{}') as ends
from provider_failure where provider = $1 and ends_at > $2`,
}

const holdStatement = {
  name: 'provider_failures_hold',
  text: `
insert into provider_failure (provider, ends_at, is_held)
select $1, $3, true from generate_series(1, $2) returning id`,
}

/** Also removes what has left the window, of this provider: there are never many rows. */
const recordStatement = {
  name: 'provider_failures_record',
  text: `
with gone as (
  delete from provider_failure
  where id in (
    select id from provider_failure
    where id = any ($4::bigint[]) or (provider = $1 and ends_at <= $5)
    for update skip locked))
insert into provider_failure (provider, ends_at)
select $1, $3 from generate_series(1, $2)`,
}
