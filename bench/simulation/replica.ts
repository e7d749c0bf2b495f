import type { Rows, Statement } from '../../src/platform/database/database.ts'
import { watchPrimary } from '../../src/platform/database/replica/primary-watch.ts'
import { createJudge } from '../../src/platform/database/replica/replica-host.ts'
import { walTextOf } from '../../src/platform/database/replica/wal-position.ts'
import type { Scene } from './node.ts'

/** A replica of a simulation, and what the node makes of it. */
export interface SimulatedReplica {
  /** It replays nothing for so long. */
  pause(forMs: number): void
  result(): ReplicaTally
}

export interface ReplicaTally {
  readonly lists: number
  /** The share that was read on the replica; the others were read on the primary. */
  readonly share: number
  /** How far behind it was at most when it was read. */
  readonly oldestMs: number
}

const lagMaxSeconds = 5
/** Five looks while the lag passes, as `openReplicas` makes them. */
const lookEveryMs = (lagMaxSeconds * 1_000) / 5
const listEveryMs = 250
/** It replays what arrives within this, mostly. */
const usualLagMs = { p50: 10, p99: 200 }

export function startReplica({ clock, random, cluster, history, violations, settings }: Scene): SimulatedReplica {
  const witnesses = new Map<string, number>()
  const counts = { lists: 0, read: 0, oldestMs: 0 }
  let pausedAtMs = Number.POSITIVE_INFINITY
  let replayed = 0

  const side: Rows = {
    async query<Row extends object>({ name }: Statement, [id]: readonly unknown[]) {
      await new Promise<void>((resolve) => clock.plan(random.skewed(settings.latency), resolve))
      // A commit that changes nothing for a node.
      if (name === 'replica_witness_add') witnesses.set(String(id), history.commit([]))
      const position = walTextOf(BigInt(history.newest()))
      // Trust boundary: the model answers a statement with its rows.
      return [{ position, timeline: String(cluster.primary().timeline) }] as object[] as Row[]
    },
  }
  const primary = watchPrimary({ side }, clock.now)
  const judge = createJudge(primary, lagMaxSeconds)

  function replay(): void {
    const upToMs = Math.min(clock.now() - random.skewed(usualLagMs), pausedAtMs)
    replayed = Math.max(replayed, history.newestAt(upToMs))
  }

  function read(): void {
    replay()
    counts.lists += 1
    const witness = witnesses.get(primary.witness()?.id ?? '') ?? Number.POSITIVE_INFINITY
    const verdict = judge({
      isStandby: true,
      position: walTextOf(BigInt(replayed)),
      isWitnessed: replayed >= witness,
    })
    if (verdict.state !== 'up') return
    counts.read += 1
    if (replayed === history.newest()) return
    const ageMs = clock.now() - history.committedAtMs(replayed + 1)
    counts.oldestMs = Math.max(counts.oldestMs, ageMs)
    if (ageMs > lagMaxSeconds * 1_000) violations.add('replica', `a list lacks a change of ${Math.round(ageMs)} ms ago`)
  }

  function every(ms: number, work: () => unknown): void {
    clock.plan(ms, () => {
      const isUnderWay = work()
      every(ms, work)
      return isUnderWay
    })
  }
  void primary.look()
  every(lookEveryMs, () => void primary.look().catch(() => undefined))
  every(listEveryMs, () => {
    read()
    return false
  })

  return {
    pause(forMs) {
      pausedAtMs = clock.now()
      clock.plan(forMs, () => {
        pausedAtMs = Number.POSITIVE_INFINITY
        return false
      })
    },
    result: () => ({
      lists: counts.lists,
      share: counts.lists === 0 ? 0 : counts.read / counts.lists,
      oldestMs: Math.round(counts.oldestMs),
    }),
  }
}
