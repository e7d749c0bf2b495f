import { setTimeout } from 'node:timers/promises'
import { pin } from '../harness/processes.ts'
import { startWorker } from '../harness/worker.ts'
import type { LoadOrder, LoadReport, LoadTarget } from './load-process.ts'

/** What is asked of a server: one path, by callers in turn. */
export interface Load {
  /** Such as `http://127.0.0.1:4600/api/v1/user/data`. */
  readonly url: string
  readonly callers: readonly Readonly<Record<string, string>>[]
  readonly connections: number
  /** User and system time that the server has spent so far. */
  readonly cpuMs: () => number
}

export interface Slice {
  readonly requestsPerSecond: number
  readonly cpuUsPerRequest: number
}

export interface LoadGenerator {
  /** One slice after a lead-in that is not counted. Throws where an answer was outside 2xx, or none came at all. */
  slice(load: Load, seconds: number): Promise<Slice>
  stop(): void
}

const leadInMs = 1_000
const settleMs = 1_000

/** A process that makes load, on a core of its own where the system can do that. */
export function startLoadGenerator(core: number): LoadGenerator {
  const { pid, ask, stop } = startWorker<LoadOrder, LoadReport>('peers/load-process.js')
  pin(pid, core)
  return {
    async slice(load, seconds) {
      await ask({ kind: 'begin', target: targetOf(load) })
      await setTimeout(leadInMs)
      const cpuBefore = load.cpuMs()
      const before = await ask({ kind: 'count' })
      await setTimeout(seconds * 1_000)
      const cpuMs = load.cpuMs() - cpuBefore
      const after = await ask({ kind: 'count' })
      await ask({ kind: 'end' })
      // What the server still has in hand is not to fall on the next slice, which is another server's.
      await setTimeout(settleMs)
      const answers = after.answers - before.answers
      if (after.refused > 0)
        throw new Error(`${load.url}: ${after.refused} answers void the slice: ${after.firstRefusal}`)
      if (answers === 0) throw new Error(`${load.url} answered nothing in ${seconds} s`)
      return {
        requestsPerSecond: (answers / (after.atMs - before.atMs)) * 1_000,
        cpuUsPerRequest: (cpuMs * 1_000) / answers,
      }
    },
    stop,
  }
}

function targetOf({ url, callers, connections }: Load): LoadTarget {
  const { hostname, port, pathname, search } = new URL(url)
  const lines = callers.map((headers) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
  return { host: hostname, port: Number(port), path: pathname + search, callers: lines, connections }
}
