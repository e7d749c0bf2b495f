import { startChild } from './child.ts'
import type { LoadOrder, LoadReport } from './load-program.ts'

export interface Load {
  /** Sends `requests` in turn. Throws if the status of an answer is not `expected`, which voids the run. */
  run(
    server: { readonly url: string; readonly pid: number },
    requests: readonly string[],
    more?: LoadMore,
  ): Promise<LoadReport>
  stop(): void
}

interface LoadMore {
  /** The measured time, 2,000 by default, after a lead-in of `leadInMs`. */
  readonly ms?: number
  /** Ends when each request was sent once, and measures from the first one. */
  readonly once?: boolean
  /** `200` by default. */
  readonly expected?: string
  readonly connections?: number
}

interface LoadSettings {
  readonly connections: number
}

const leadInMs = 200

/** A process that generates load, on a separate core if the system allows it. */
export function startLoad({ connections: usual }: LoadSettings): Load {
  const { ask, stop } = startChild<LoadOrder, LoadReport>('harness/load-program.ts', { core: 'load' })
  return {
    async run({ url, pid }, requests, { ms = 2_000, once = false, expected = '200', connections = usual } = {}) {
      const { hostname: host, port } = new URL(url)
      const order = { host, port: Number(port), pid, requests, connections, expected, once, ms }
      const report = await ask({ ...order, leadInMs: once ? 0 : leadInMs })
      const { failure, answers, statuses } = report
      if (failure !== undefined || answers === 0)
        throw new Error(`the slice of ${url} is void: ${failure ?? 'no answer'}; answers: ${JSON.stringify(statuses)}`)
      return report
    },
    stop,
  }
}

/** A GET as sent over the wire. */
export function getRequest(path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`
}
