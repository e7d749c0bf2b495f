import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A script of this folder in a process of its own, which is spoken to by messages and ends with this one. */
export interface Offspring {
  readonly pid: number
  /** The first message it sent. */
  readonly hello: unknown
  ask(message: object): Promise<unknown>
  stop(): void
}

export async function startOffspring(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Offspring> {
  const child = fork(join(import.meta.dirname, `${script}.js`), args, { env: { PATH: process.env.PATH ?? '', ...env } })
  const hello = await nextMessage(child)
  return {
    pid: child.pid ?? 0,
    hello,
    ask(message) {
      child.send(message)
      return nextMessage(child)
    },
    stop: () => void child.disconnect(),
  }
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const over = new AbortController()
  const { signal } = over
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`a part of the measurement ended with ${code}`)
      }),
    ])
  } finally {
    over.abort()
  }
}

/** The port that a server among them told. */
export function portOf({ hello }: Offspring): number {
  return typeof hello === 'object' && hello !== null && 'port' in hello ? Number(hello.port) : 0
}
