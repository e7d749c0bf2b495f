import { once } from 'node:events'
import { join } from 'node:path'
import { type Core, spawnNode } from './processes.ts'

/** A process of our own that answers every order with one report. */
export interface Worker<Order, Report> {
  readonly pid: number
  ask(order: Order): Promise<Report>
  stop(): void
}

/** `program` is a path below `bench/`. An order to a process that has ended is rejected. */
export function startWorker<Order extends object, Report>(program: string, core: Core = 'any'): Worker<Order, Report> {
  const path = join(import.meta.dirname, '..', program)
  const child = spawnNode(core, [path], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = new AbortController()
  child.once('exit', () => ended.abort(new Error(`${program} ended`)))
  return {
    pid: child.pid ?? 0,
    async ask(order) {
      ended.signal.throwIfAborted()
      const said = once(child, 'message', { signal: ended.signal })
      child.send(order)
      // The border to our own process: it sends nothing else.
      const [report] = (await said) as [Report]
      return report
    },
    stop: () => child.disconnect(),
  }
}
