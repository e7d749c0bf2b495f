import type { Rows, Statement } from '../../src/platform/database/database.ts'
import { Problem } from '../../src/platform/problems.ts'
import { type ChangeTables, createChangeTables } from './change-tables.ts'
import type { SimulatedClock } from './clock.ts'
import type { History } from './history.ts'
import type { Latency, Random } from './random.ts'

/** A PostgreSQL of a simulation. */
export interface Server {
  readonly tables: ChangeTables
  isUp: boolean
  /** Another one after each promotion. */
  timeline: number
  /** After another one was promoted nothing is confirmed here any more, and it shows what it had. */
  lastCommit: number | undefined
}

/** One primary with synchronous standbys, so that a failover loses nothing that was confirmed. */
export interface Cluster {
  primary(): Server
  /** The primary ends; after so long a standby leads. */
  failOver(afterMs: number): void
  /** A standby is promoted at once, and the old primary goes on answering, without standbys. */
  split(): void
}

export function createCluster(clock: SimulatedClock, history: History): Cluster {
  let count = 0
  let primary = newServer()

  function newServer(): Server {
    count += 1
    return {
      tables: createChangeTables(`server ${count}`, clock.now),
      isUp: true,
      timeline: count,
      lastCommit: undefined,
    }
  }

  return {
    primary: () => primary,
    failOver(afterMs) {
      primary.isUp = false
      clock.plan(afterMs, () => {
        primary.tables.restart()
        count += 1
        primary.timeline = count
        primary.isUp = true
        return false
      })
    },
    split() {
      primary.lastCommit = history.newest()
      primary = newServer()
    },
  }
}

/** The way of one node to the database. */
export interface DatabaseLink {
  readonly side: Rows
  /** As of the pool: it looks for the primary again, and finds it about a second later. */
  suspect(): void
  /** Runs `work` on the server, on the way there and back. Rejects where the database does not answer in time. */
  ask<T>(work: (server: Server) => T | Promise<T>): Promise<T>
  /** Nothing passes in either direction, and neither side gets an error. */
  freeze(): void
  thaw(): void
}

export interface LinkOptions {
  readonly clock: SimulatedClock
  readonly random: Random
  readonly cluster: Cluster
  readonly latency: Latency
  /** Runs what arrives at the node, at once or when the node runs again. */
  readonly arrive: (work: () => void) => void
  readonly answerSide: SideAnswers
}

/** The rows of a statement of the side pool. */
export type SideAnswers = (statement: string, values: readonly unknown[], server: Server) => readonly object[]

const queryTimeoutMs = 4_000
/** A node that has no primary asks all servers once a second. */
const probeMsMax = 1_000

export function openLink({ clock, random, cluster, latency, arrive, answerSide }: LinkOptions): DatabaseLink {
  let server = cluster.primary()
  let isFrozen = false
  let isProbing = false
  let held: (() => void)[] = []
  const unanswered = new Set<() => void>()
  let receipts: (() => void)[] = []

  function ask<T>(work: (server: Server) => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const lost = () => arrive(() => reject(new Problem('database_unavailable')))
      const giveUp = () => clock.plan(queryTimeoutMs, lost)
      if (isFrozen) giveUp()
      unanswered.add(giveUp)
      const wayMs = random.skewed(latency) / 2
      const answer = (settle: () => void) => {
        const deliver = () => {
          unanswered.delete(giveUp)
          arrive(settle)
        }
        clock.plan(wayMs, () => {
          if (isFrozen) held.push(deliver)
          else deliver()
        })
      }
      function execute(): boolean {
        if (!server.isUp) answer(() => reject(new Problem('database_unavailable')))
        else {
          const result = work(server)
          if (result instanceof Promise) {
            void result.then((late: T) => answer(() => resolve(late)))
            return true
          }
          answer(() => resolve(result))
        }
        return false
      }
      clock.plan(wayMs, () => {
        if (!isFrozen) return execute()
        held.push(execute)
        return false
      })
    })
  }

  /** An old primary never confirms what it writes, until it is asked to stop waiting. */
  function receipt(on: Server): Promise<readonly object[]> {
    if (on.lastCommit === undefined) return Promise.resolve([])
    return new Promise((resolve) => receipts.push(() => resolve([])))
  }

  function cancelReceipts(): readonly object[] {
    for (const cancel of receipts) cancel()
    receipts = []
    return []
  }

  function answerOn(on: Server, { name, text }: Statement, values: readonly unknown[]) {
    if (text.includes('pg_logical_emit_message')) return receipt(on)
    return text.includes('pg_cancel_backend') ? cancelReceipts() : answerSide(name, values, on)
  }

  return {
    side: {
      async query<Row extends object>(statement: Statement, values: readonly unknown[]) {
        // Trust boundary: the model answers a statement with its rows.
        return (await ask((on) => answerOn(on, statement, values))) as Row[]
      },
    },
    ask,
    suspect() {
      if (isProbing) return
      isProbing = true
      clock.plan(random.share() * probeMsMax, () => {
        isProbing = false
        if (!isFrozen && cluster.primary().isUp) server = cluster.primary()
      })
    },
    freeze() {
      isFrozen = true
      for (const giveUp of unanswered) giveUp()
    },
    thaw() {
      isFrozen = false
      const works = held
      held = []
      for (const work of works) work()
    },
  }
}
