import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pin } from '../harness/processes.ts'
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
  const child = fork(join(import.meta.dirname, 'load-process.js'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  pin(child.pid ?? 0, core)
  return {
    async slice(load, seconds) {
      await order(child, { kind: 'begin', target: targetOf(load) })
      await setTimeout(leadInMs)
      const cpuBefore = load.cpuMs()
      const before = await order(child, { kind: 'count' })
      await setTimeout(seconds * 1_000)
      const cpuMs = load.cpuMs() - cpuBefore
      const after = await order(child, { kind: 'count' })
      await order(child, { kind: 'end' })
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
    stop: () => child.disconnect(),
  }
}

function targetOf({ url, callers, connections }: Load): LoadTarget {
  const { hostname, port, pathname, search } = new URL(url)
  const lines = callers.map((headers) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
  return { host: hostname, port: Number(port), path: pathname + search, callers: lines, connections }
}

async function order(child: ChildProcess, what: LoadOrder): Promise<LoadReport> {
  const said = once(child, 'message')
  child.send(what)
  // The border to our own process: it sends nothing else.
  const [report] = (await said) as [LoadReport]
  return report
}
