import { once } from 'node:events'
import { join } from 'node:path'
import { type Core, spawnNode } from './processes.ts'

/** A child process that runs a program in `bench/` and ends with this process. */
export interface Child<Order extends object, Report> {
  readonly pid: number
  /** Sends an order and returns its report. Rejects if the process has exited. */
  ask(order: Order): Promise<Report>
  /** The next message that is not a report, such as the port. */
  nextMessage(): Promise<unknown>
  stop(): void
}

export interface ChildOptions {
  readonly core?: Core
  readonly args?: readonly string[]
  /** Added to PATH; if missing, the child inherits the environment. */
  readonly env?: Readonly<Record<string, string>>
}

/** `program` is a path below `bench/`. */
export function startChild<Order extends object, Report>(
  program: string,
  { core = 'any', args = [], env }: ChildOptions = {},
): Child<Order, Report> {
  const path = join(import.meta.dirname, '..', program)
  const child = spawnNode(core, [path, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ...(env && { env: { PATH: process.env.PATH ?? '', ...env } }),
  })
  const exited = new AbortController()
  child.once('exit', (code) => exited.abort(new Error(`${program} exited with ${code}`)))

  async function nextMessage(): Promise<unknown> {
    exited.signal.throwIfAborted()
    const [message] = await once(child, 'message', { signal: exited.signal })
    return message
  }
  return {
    pid: child.pid ?? 0,
    nextMessage,
    async ask(order) {
      const reported = nextMessage()
      if (child.connected) child.send(order)
      // Trust boundary: the program is our own and answers an order with a report.
      return (await reported) as Report
    },
    stop: () => {
      if (child.connected) child.disconnect()
    },
  }
}

/** The port in a message `{ port }`. */
export function portIn(message: unknown): number {
  return typeof message === 'object' && message !== null && 'port' in message ? Number(message.port) : 0
}
