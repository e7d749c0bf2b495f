import { createHash } from 'node:crypto'
import {
  createFailureCounts,
  type FailedKey,
  type FailureCounts,
  heldMs,
  type PlaceRequest,
  type ShareChange,
  type Taken,
} from '../../key-check/index.ts'
import type { Clock } from '../platform/clock.ts'
import { createBatches, type Database, type Rows, unnestOf } from '../platform/database/database.ts'
import { Problem } from '../platform/problems.ts'

/**
 * Failed authentications of all nodes and commands that use the database. Without the database each process counts alone. Concurrent checks
 * share a statement.
 */
export function sharedFailureCounts({ side }: Pick<Database, 'side'>, now: Clock): FailureCounts {
  const ofProcess = createFailureCounts(now)
  const take = createBatches<PlaceRequest, Taken>((requests) => takeAll(side, requests, now()))
  const record = createBatches<readonly ShareChange[], readonly number[]>((items) => recordAll(side, items, now()))

  return {
    take: (request) =>
      whereReachable(
        () => take(request),
        () => ofProcess.take(request),
      ),
    record: (changes) =>
      whereReachable(
        () => record(changes),
        () => ofProcess.record(changes),
      ),
    remember: (key) =>
      whereReachable(
        () => remember(side, key),
        () => ofProcess.remember(key),
      ),
  }
}

/** The database, or this process if the database is unavailable or read-only. */
async function whereReachable<Result>(shared: () => Promise<Result>, own: () => Promise<Result>): Promise<Result> {
  try {
    return await shared()
  } catch (error) {
    if (error instanceof Problem && (error.code === 'database_unavailable' || error.code === 'read_only')) return own()
    throw error
  }
}

/** The share may name an account or a network. */
function nameOf(share: string): string {
  return createHash('sha256').update(share).digest('base64')
}

async function takeAll(side: Rows, requests: readonly PlaceRequest[], nowMs: number): Promise<readonly Taken[]> {
  const asked = new Map<string, { places: number; max: number }>()
  for (const { shares } of requests)
    for (const { share, places, max } of shares)
      asked.set(share, { places: places + (asked.get(share)?.places ?? 0), max })
  const shares = inOneOrder(asked)
  const providers = [...new Set(requests.map(({ provider }) => provider))]
  const rows = await side.query<TakenRow>(takeStatement, [
    shares.map(({ name }) => name),
    shares.map(({ value }) => Math.min(value.places, value.max)),
    shares.map(({ value }) => value.max),
    nowMs + heldMs,
    nowMs,
    providers.map(nameOf),
    requests.map(({ digest }) => digest),
  ])
  const found = new Map(rows.map((row) => [row.name, row]))
  const left = new Map(shares.map(({ share, name }) => [share, found.get(name)?.places ?? 0]))
  const failuresOf = (share: string) =>
    (found.get(nameOf(share))?.failures ?? [])
      .map(Number)
      .filter((endMs) => endMs > nowMs)
      .sort((one, other) => one - other)
  const taken = requests.map(({ digest, shares, provider }): Taken => {
    const isHeld = shares.every(({ share, places }) => (left.get(share) ?? 0) >= places)
    if (isHeld) for (const { share, places } of shares) left.set(share, (left.get(share) ?? 0) - places)
    const known = found.get(digest)
    return {
      isHeld,
      shares: shares.map(({ share }) => failuresOf(share)),
      provider: failuresOf(provider),
      // The trust boundary: `remember` wrote it.
      ...(known && {
        known: { outcome: known.outcome, checkedAtMs: Number(known.checked_at), askedBy: known.asked_by },
      }),
    }
  })
  const unused = [...left].filter(([, places]) => places > 0)
  if (unused.length > 0)
    await recordAll(
      side,
      [unused.map(([share, places]) => ({ share, failures: 0, freedPlaces: places, endsAtMs: 0 }))],
      nowMs,
    )
  return taken
}

interface TakenRow {
  readonly name: string
  readonly failures: readonly string[]
  readonly places: number
  readonly outcome: object
  readonly checked_at: string | null
  readonly asked_by: string
}

async function recordAll(
  side: Rows,
  items: readonly (readonly ShareChange[])[],
  nowMs: number,
): Promise<readonly (readonly number[])[]> {
  const sums = new Map<string, Omit<ShareChange, 'share'>>()
  for (const { share, ...change } of items.flat()) {
    const sum = sums.get(share) ?? { failures: 0, freedPlaces: 0, endsAtMs: 0 }
    sums.set(share, {
      failures: sum.failures + change.failures,
      freedPlaces: sum.freedPlaces + change.freedPlaces,
      endsAtMs: Math.max(sum.endsAtMs, change.endsAtMs),
    })
  }
  if (sums.size === 0) return items.map(() => [])
  const shares = inOneOrder(sums)
  const rows = await side.query<{ name: string; failures: number }>(recordStatement, [
    shares.map(({ name }) => name),
    shares.map(({ value }) => value.failures),
    shares.map(({ value }) => value.freedPlaces),
    shares.map(({ value }) => value.endsAtMs),
    nowMs,
  ])
  const found = new Map(rows.map(({ name, failures }) => [name, failures]))
  const counts = new Map(shares.map(({ share, name }) => [share, found.get(name) ?? 0]))
  return items.map((changes) => changes.map(({ share }) => counts.get(share) ?? 0))
}

/** Sorted, because statements that lock the same rows in different orders deadlock. */
function inOneOrder<Value>(byShare: ReadonlyMap<string, Value>) {
  return [...byShare]
    .map(([share, value]) => ({ share, name: nameOf(share), value }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

async function remember(side: Rows, { digest, askedBy, outcome, checkedAtMs, endsAtMs }: FailedKey): Promise<void> {
  await side.query(rememberStatement, [digest, askedBy, JSON.stringify(outcome), checkedAtMs, endsAtMs])
}

/** Reserves as many of the requested places as are free. */
const freePlaces = `greatest(0, least(excluded.places,
  excluded.places_max - (select count(*)::int from unnest(s.failures || s.held) as e where e > $5)))`

const takeStatement = {
  name: 'key_failure_take',
  text: `
with taken as (
  insert into key_failure_share as s (share, failures, held, places, places_max, ends_at)
  select share, '{}', array_fill($4::bigint, array[places]), places, places_max, $4
  from ${unnestOf('text', 'int', 'int')} as asked (share, places, places_max)
  on conflict (share) do update set
    held = array(select e from unnest(s.held) as e where e > $5) || excluded.held[:${freePlaces}],
    places = ${freePlaces},
    places_max = excluded.places_max,
    ends_at = greatest(s.ends_at, excluded.ends_at)
  returning share, failures, places)
select share as name, failures, places, null::jsonb as outcome, null::bigint as checked_at, null as asked_by from taken
union all
select share, failures, 0, null, null, null from key_failure_share where share = any ($6)
union all
select digest, '{}', 0, outcome, checked_at, asked_by from failed_key where digest = any ($7) and ends_at > $5`,
}

/** Frees the newest places first. Those of a killed process expire by themselves. */
const recordStatement = {
  name: 'key_failure_record',
  text: `
insert into key_failure_share as s (share, failures, held, places, places_max, ends_at)
select share, array_fill(ends_at, array[failures]), '{}', places, 0, ends_at
from ${unnestOf('text', 'int', 'int', 'bigint')} as changed (share, failures, places, ends_at)
on conflict (share) do update set
  failures = array(select e from unnest(s.failures) as e where e > $5) || excluded.failures,
  held = s.held[:cardinality(s.held) - excluded.places],
  places = excluded.places,
  ends_at = greatest(s.ends_at, excluded.ends_at)
returning share as name, cardinality(failures) as failures`,
}

const rememberStatement = {
  name: 'failed_key_remember',
  text: `
insert into failed_key (digest, asked_by, outcome, checked_at, ends_at) values ($1, $2, $3, $4, $5)
on conflict (digest) do update set
  asked_by = excluded.asked_by, outcome = excluded.outcome, checked_at = excluded.checked_at, ends_at = excluded.ends_at`,
}

/** Deletes rows one day after their window, because windows follow the clocks of the nodes. Part of maintenance. */
export async function deleteOldFailures(rows: Rows): Promise<void> {
  await rows.query(oldSharesStatement, [])
  await rows.query(oldKeysStatement, [])
}

const oldSharesStatement = {
  name: 'key_failure_shares_old',
  text: `delete from key_failure_share where ends_at < (extract(epoch from now()) - 86400) * 1000`,
}

const oldKeysStatement = {
  name: 'failed_keys_old',
  text: `delete from failed_key where ends_at < (extract(epoch from now()) - 86400) * 1000`,
}
