import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, request as send } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { freshDatabase } from './database.ts'

const program = fileURLToPath(new URL('../../dist/bundle/main.cjs', import.meta.url))

export interface Line {
  readonly msg?: string
  readonly requestId?: string
  readonly address?: string
}

export interface ServiceProcess {
  readonly url: string
  readonly child: ChildProcess
  /** What it has logged so far. */
  readonly lines: readonly Line[]
  /** The first line of the log that fits, waited for. */
  logged(fits: (line: Line) => boolean): Promise<Line>
  /** The exit code, once it has ended. */
  ended(): Promise<number | null>
}

/** The built service in a process of its own, on a free port; waits until it is ready, and is killed at the end of the test. */
export async function startProcessOfService(
  env: Readonly<Record<string, string>>,
  [command, ...args]: readonly [string, ...string[]] = [process.execPath, program],
): Promise<ServiceProcess> {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, MUSTER_PORT: '0', MUSTER_LAME_DUCK_SECONDS: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: Line[] = []
  const reader = createInterface({ input: child.stdout }).on('line', (line) => {
    // npm writes lines of its own first.
    if (line.startsWith('{')) lines.push(JSON.parse(line))
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  async function logged(fits: (line: Line) => boolean): Promise<Line> {
    for (;;) {
      const line = lines.find(fits)
      if (line) return line
      await Promise.race([once(reader, 'line'), exited.then(() => Promise.reject(new Error('the service has ended')))])
    }
  }
  const { address = '' } = await logged(({ msg }) => msg === 'ready')
  return {
    url: address,
    child,
    lines,
    logged,
    ended: async () => (await exited)[0],
  }
}

/** The service on a new database, with so many file descriptors at most. `/metrics` is open to `metricsToken`. */
export async function startProcessWithDescriptors(max: number): Promise<ServiceProcess> {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const env = {
    DATABASE_URL: fresh.url,
    MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    MUSTER_METRICS_TOKEN: metricsToken,
  }
  return startProcessOfService(env, ['bash', '-c', `ulimit -n ${max} && exec "$0" "$1"`, process.execPath, program])
}

export const metricsToken = 'a-token-of-the-monitoring'

/** One kept connection, so that all its requests go to one process. */
export interface Connection {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Answer>
  close(): void
}

export interface Answer {
  readonly status: number
  readonly text: string
  readonly requestId: string
  readonly headers: IncomingHttpHeaders
}

export function connect(url: string): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return {
    get: (path, headers = {}) => ask(new URL(path, url), { agent, method: 'GET', headers }),
    post: (path, body, headers = {}) =>
      ask(
        new URL(path, url),
        { agent, method: 'POST', headers: { ...headers, 'content-type': 'application/json' } },
        body,
      ),
    close: () => agent.destroy(),
  }
}

interface How {
  readonly agent: Agent
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}

/** What is never answered fails as itself, not by the time limit of its test. */
const answerMsMax = 60_000

function ask(url: URL, how: How, body?: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = send(url, { ...how, signal: AbortSignal.timeout(answerMsMax) }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece
      })
      response.once('error', reject).once('end', () => {
        const { headers } = response
        resolve({ status: response.statusCode ?? 0, text, requestId: String(headers['x-request-id']), headers })
      })
    })
    request.once('error', reject).end(body && JSON.stringify(body))
  })
}
