import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { LoadOrder, LoadReport } from './load-program.ts'
import { spawnNode } from './process.ts'

export interface Load {
  /** Sends `requests` in turn for so long. An answer outside `expected` voids the run: it throws. */
  run(
    at: { readonly url: string },
    requests: readonly string[],
    options?: { ms?: number; once?: boolean; expected?: string },
  ): Promise<LoadReport>
  stop(): void
}

export interface LoadSettings {
  readonly connections: number
}

export function startLoad({ connections }: LoadSettings): Load {
  const child = spawnNode('load', [join(import.meta.dirname, 'load-program.js')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return {
    async run({ url }, requests, { ms = 2_000, once: sendOnce = false, expected = '200' } = {}) {
      const { hostname, port } = new URL(url)
      const order: LoadOrder = { host: hostname, port: Number(port), requests, connections, ms, once: sendOnce }
      const report = await answerTo(child, order)
      const others = Object.entries(report.statuses).filter(([status]) => status !== expected)
      if (others.length > 0 || report.answers === 0)
        throw new Error(`the slice is void: ${JSON.stringify(report.statuses)} instead of ${expected}`)
      return report
    },
    stop: () => void child.kill(),
  }
}

function answerTo(child: ChildProcess, order: LoadOrder): Promise<LoadReport> {
  return new Promise((resolve, reject) => {
    const died = () => reject(new Error('the load ended'))
    child.once('exit', died)
    child.once('message', (report: LoadReport) => {
      child.off('exit', died)
      resolve(report)
    })
    if (child.exitCode !== null || child.signalCode !== null) died()
    else child.send(order)
  })
}

/** A GET as it goes over the wire. */
export function getRequest(path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`
}
