import type { Logger } from 'pino'
import type { Secret } from '../../secret.ts'
import type { Database } from '../database.ts'
import type { MonotonicClock } from '../freshness.ts'
import { type DatabaseLimits, databaseLimits } from '../limits.ts'
import { linksOf } from '../link.ts'
import { causeOf, loggedLook, watchHost } from './looks.ts'
import { watchPrimary } from './primary-watch.ts'
import type { ReadSource } from './read-source.ts'
import { type Reading, type RefusalReason, ReplicaRefusal, type ReplicaState, replicaHost } from './replica-host.ts'
import { walPositionOf } from './wal-position.ts'

/** Servers on which lists are read that may be a moment old. */
export interface Replicas {
  /** Below how many seconds what is read there is behind. */
  readonly lagMaxSeconds: number
  /**
   * Runs `work` on a replica that shows everything that is older than allowed, and everything up to `seen`, a place in the log. Another
   * one is tried where a replica fails, so `work` may run again. The reason where none is left.
   */
  read<T>(seen: string | undefined, work: (source: ReadSource) => Promise<T>): Promise<Reading<T> | RefusalReason>
  /** `up` where one is read, otherwise why none is. */
  state(): ReplicaState
  /** Of each host, as last seen. */
  health(): readonly ReplicaHealth[]
  /** Asks every server now; it is done by itself five times while `lagMaxSeconds` pass, and each second where no replica is read. */
  look(): Promise<void>
  close(): Promise<void>
}

export interface ReplicaHealth {
  readonly name: string
  readonly state: ReplicaState
  /** Infinite where it is not known. */
  readonly lagSeconds: number
  readonly pools: ReturnType<Database['health']>['pools']
}

export interface ReplicasOptions {
  /** Of one or several hosts. */
  readonly url: Secret
  readonly primary: Pick<Database, 'side'>
  readonly lagMaxSeconds: number
  /** Lists that are streamed at once. */
  readonly streamsMax: number
  /** Processes of this node. */
  readonly processes: number
  readonly preparedStatements: boolean
  readonly traced: (database: Database) => Database
  readonly log: Logger
  readonly monotonic?: MonotonicClock | undefined
}

/** Opens no connection itself: a replica that is down stops no start. */
export function openReplicas(options: ReplicasOptions): Replicas {
  const { url, primary, lagMaxSeconds, preparedStatements, traced, log } = options
  const monotonic = options.monotonic ?? performance.now.bind(performance)
  const primaryWatch = watchPrimary(primary, monotonic)
  const lookAtPrimary = loggedLook(primaryWatch, log)
  const limits = replicaLimits(options)
  const watched = linksOf({ url }).map((link) =>
    watchHost(replicaHost({ link, primary: primaryWatch, lagMaxSeconds, limits, preparedStatements, traced }), log),
  )
  let turn = 0

  async function look(): Promise<void> {
    await lookAtPrimary()
    await Promise.all(watched.map((one) => one.look()))
  }

  const state = () => bestOf(watched.map((one) => one.state()))
  const usualMs = (lagMaxSeconds * 1_000) / looksInLag
  const rounds = everySoOften(look, () => (state() === 'up' ? usualMs : Math.min(usualMs, hopefulMs)))

  return {
    lagMaxSeconds,
    async read(seenText, work) {
      const seen = seenText === undefined ? undefined : walPositionOf(seenText)
      const best = state()
      let reason: RefusalReason = best === 'up' ? 'failed' : best
      turn += 1
      for (const { host, ...one } of rotated(watched, turn)) {
        if (one.state() !== 'up') continue
        try {
          return await host.read(seen, work)
        } catch (error) {
          if (!(error instanceof ReplicaRefusal)) throw error
          reason = error.reason
          if (reason === 'failed') log.warn({ replica: host.name, cause: causeOf(error) }, failedSentence)
        }
      }
      return reason
    },
    state,
    health: () =>
      watched.map(({ host, position, ...one }) => {
        const place = position()
        const lagSeconds = place === undefined ? Number.POSITIVE_INFINITY : primaryWatch.ageSecondsAt(place)
        return { name: host.name, state: one.state(), lagSeconds, pools: host.database.health().pools }
      }),
    look,
    async close() {
      await rounds.stop()
      await Promise.all(watched.map(({ host }) => host.database.close()))
    },
  }
}

/** Of the process, on each replica: lists are few, and one that finds no connection is read on the primary. */
export function replicaLimits({
  streamsMax,
  processes,
}: Pick<ReplicasOptions, 'streamsMax' | 'processes'>): DatabaseLimits {
  return {
    ...databaseLimits,
    connectionsMax: Math.max(1, Math.ceil(replicaConnectionsMax / processes)),
    sideConnectionsMax: 1,
    streamsMax,
  }
}

const replicaConnectionsMax = 4

/** One look that is late does not end a proof. */
const looksInLag = 5

/** While no replica is read. */
const hopefulMs = 1_000

const failedSentence = 'a replica failed while a list was read, which is read on another server'

/** The state that says most: of all servers of a cluster one is the primary, which is no fault. */
function bestOf(states: readonly ReplicaState[]): ReplicaState {
  return (['up', 'behind', 'other_database', 'unreachable'] as const).find((one) => states.includes(one)) ?? 'promoted'
}

function rotated<T>(all: readonly T[], by: number): readonly T[] {
  const start = by % all.length
  return [...all.slice(start), ...all.slice(0, start)]
}

/** One round after the other, the first one at once. */
function everySoOften(work: () => Promise<void>, pauseMs: () => number): { stop(): Promise<void> } {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  function round(): void {
    running = work().finally(() => {
      if (!isStopped) timer = setTimeout(round, pauseMs()).unref()
    })
  }
  round()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
