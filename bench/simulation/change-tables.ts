import { eventsMax } from '../../src/platform/database/read-changes.ts'

/**
 * The tables of events of `migrations/110_change_feed.sql`, with the transactions and snapshots of PostgreSQL, as a model: what the statement of
 * a look finds in them, and what is removed. `test/bench/change-tables.test.ts` plays the same on PostgreSQL and compares.
 */
export interface ChangeTables {
  begin(): ModelTransaction
  /** What `lookStatement` answers to the values that it gets. */
  look(snapshot: unknown, truncations: unknown): LookAnswer | undefined
  /** The row of `change_feed`, where there is none. */
  beginHistory(): void
  /** As the function of that name; answers whether it removed events. */
  truncateOldChanges(): boolean
  /** A crash, or the promotion of a standby: unlogged tables are empty, and what ran is rolled back. */
  restart(): void
}

export interface ModelTransaction {
  /** Adds an event, such as `account:1`. */
  change(event: string): void
  /** False where the server has rolled it back meanwhile. */
  commit(): boolean
  rollback(): void
}

export interface LookAnswer {
  readonly snapshot: string
  readonly history: string
  readonly truncations: string
  readonly isLost: boolean
  /** With a space between them; null where there are none. */
  readonly events: string | null
}

interface Snapshot {
  readonly xmin: number
  readonly xmax: number
  readonly running: readonly number[]
}

/** One of the three tables. A row that was rolled back takes room and is not seen. */
interface EventTable {
  readonly eventsByXid: Map<number, string[]>
  hasRows: boolean
}

/** `change_slot`: each table has ten minutes in turn. */
const turnMs = 600_000

/** `server` names it among others, and `nowMs` is its clock. */
export function createChangeTables(server: string, nowMs: () => number): ChangeTables {
  let tables = [emptyTable(), emptyTable(), emptyTable()]
  let feed: { epoch: number; truncations: number; truncatedTo: number } | undefined
  let epochs = 0
  let starts = 0
  let newestXid = 2
  let newestEnded = 2
  let running = new Set<number>()

  const tableAt = (ms: number) => tables[Math.floor(ms / turnMs) % 3] ?? emptyTable()

  function snapshot(): Snapshot {
    const xmax = newestEnded + 1
    const below = [...running].filter((xid) => xid < xmax).sort((one, other) => one - other)
    return { xmin: below[0] ?? xmax, xmax, running: below }
  }

  function* seenSince(since: Snapshot, now: Snapshot): Generator<string> {
    for (let xid = since.xmax; xid < now.xmax; xid += 1) yield* visible(xid)
    for (const xid of since.running) yield* visible(xid)
  }

  function visible(xid: number): readonly string[] {
    return running.has(xid) ? [] : tables.flatMap(({ eventsByXid }) => eventsByXid.get(xid) ?? [])
  }

  return {
    begin() {
      let xid = 0
      const written = new Set<EventTable>()
      const isOver = () => xid !== 0 && !running.has(xid)
      function end(): void {
        running.delete(xid)
        newestEnded = Math.max(newestEnded, xid)
      }
      return {
        change(event) {
          if (isOver()) return
          if (xid === 0) {
            newestXid += 1
            xid = newestXid
            running.add(xid)
          }
          const table = tableAt(nowMs())
          written.add(table)
          table.hasRows = true
          const events = table.eventsByXid.get(xid) ?? []
          events.push(event)
          table.eventsByXid.set(xid, events)
        },
        commit() {
          if (isOver()) return false
          end()
          return true
        },
        rollback() {
          if (isOver()) return
          end()
          for (const { eventsByXid } of written) eventsByXid.delete(xid)
        },
      }
    },
    look(sinceText, sinceTruncations) {
      if (!feed) return undefined
      const now = snapshot()
      const { epoch, truncations, truncatedTo } = feed
      const since = typeof sinceText === 'string' ? snapshotOf(sinceText) : undefined
      return {
        snapshot: textOf(now),
        history: `${server} ${epoch} ${starts}`,
        truncations: String(truncations),
        isLost: since !== undefined && sinceTruncations !== String(truncations) && truncatedTo >= since.xmin,
        events: since ? textOfFirst(seenSince(since, now), eventsMax + 1) : null,
      }
    },
    beginHistory() {
      if (feed) return
      epochs += 1
      feed = { epoch: epochs, truncations: 0, truncatedTo: 0 }
    },
    truncateOldChanges() {
      const table = tableAt(nowMs() + turnMs)
      const xids = [...table.eventsByXid.keys()]
      // A transaction that has not ended keeps the table.
      if (!table.hasRows || xids.some((xid) => running.has(xid))) return false
      const newest = xids.reduce((highest, xid) => Math.max(highest, xid), 0)
      tables = tables.map((one) => (one === table ? emptyTable() : one))
      this.beginHistory()
      if (feed) {
        feed.truncations += 1
        feed.truncatedTo = Math.max(feed.truncatedTo, newest)
      }
      return true
    },
    restart() {
      starts += 1
      feed = undefined
      tables = [emptyTable(), emptyTable(), emptyTable()]
      running = new Set()
      newestEnded = newestXid
    },
  }
}

function emptyTable(): EventTable {
  return { eventsByXid: new Map(), hasRows: false }
}

function textOfFirst(events: Iterable<string>, countMax: number): string | null {
  const first: string[] = []
  for (const event of events) {
    first.push(event)
    if (first.length === countMax) break
  }
  return first.length === 0 ? null : first.join(' ')
}

/** `xmin:xmax:running`, as PostgreSQL writes a `pg_snapshot`. */
function textOf({ xmin, xmax, running }: Snapshot): string {
  return `${xmin}:${xmax}:${running.join(',')}`
}

function snapshotOf(text: string): Snapshot {
  const [xmin, xmax, running = ''] = text.split(':')
  return { xmin: Number(xmin), xmax: Number(xmax), running: running === '' ? [] : running.split(',').map(Number) }
}
