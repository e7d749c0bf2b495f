import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'

import type { FaultName } from './faults.ts'
import { faultOf, faults, write } from './faults.ts'
import type { SimulatedAnswer, Switches } from './routes.ts'
import { failed, route } from './routes.ts'
import type { SimulatedState } from './state.ts'
import { createState } from './state.ts'

/** What the simulator received, for assertions in tests. */
interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** The behavior of the simulator, which may change while it runs. */
interface Control extends Switches {
  /** The fault of every answer. */
  fault: FaultName | undefined
  /** The faults of the next answers, one each. */
  nextFaults: FaultName[]
  /** Chooses the fault of each answer. Takes precedence over the two above. */
  chooseFault: ((received: Received) => FaultName | undefined) | undefined
  /** Replaces the routes; undefined uses the routes. */
  answer: ((received: Received) => SimulatedAnswer | undefined) | undefined
  /** Failed authentications of one client address before a lockout; undefined disables lockouts. */
  lockOutAfter: number | undefined
  /** How long each failure counts. */
  lockOutSeconds: number
  /** No log shows the status of a lockout, so the simulator offers both likely ones. */
  lockOutStatus: 403 | 429
  /** Answers wait until this resolves. */
  hold: Promise<void> | undefined
  /** Milliseconds per answer. */
  delayMs: number
}

export interface CloudflareSimulator {
  /** The base address, for MUSTER_CLOUDFLARE_URL. */
  readonly url: string
  readonly state: SimulatedState
  readonly control: Control
  readonly received: Received[]
  /** The number of connections opened. */
  connections(): number
  /** Calls whose client disconnected before the end of the answer. */
  abandoned(): number
  /** Forgets failures, faults and received calls. */
  reset(): void
  close(): Promise<void>
}

export interface SimulatorOptions {
  /** 0 means a free port. */
  readonly port?: number
  readonly now?: () => number
  readonly lockOutAfter?: number
}

const basePath = '/client/v4'

/** Simulates api.cloudflare.com on loopback. `POST /reset` calls `reset()`. */
export async function startCloudflareSimulator(options: SimulatorOptions = {}): Promise<CloudflareSimulator> {
  const now = options.now ?? Date.now
  const state = createState(now())
  const received: Received[] = []
  const failures = new Map<string, number[]>()
  const control: Control = { ...calm(), lockOutAfter: options.lockOutAfter }
  let connections = 0
  let abandoned = 0

  const server = createServer((request, response) => void serve(request, response))
  server.on('connection', () => {
    connections += 1
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume()
    response.on('error', () => {})
    response.on('close', () => {
      abandoned += response.writableFinished ? 0 : 1
    })
    if (request.method === 'POST' && request.url === '/reset') return finishReset(response)
    const path = request.url?.startsWith(basePath) ? request.url.slice(basePath.length) : (request.url ?? '/')
    const call = { method: request.method ?? '', path, headers: request.headers }
    received.push(call)
    const answer = decide(call, request.socket.remoteAddress ?? '')
    const fault =
      control.chooseFault?.(call) ??
      control.nextFaults.shift() ??
      control.fault ??
      faultOf(credentialOf(request.headers))
    await control.hold
    if (control.delayMs > 0) await setTimeout(control.delayMs)
    const whole = { ...answer, headers: { ...commonHeaders(), ...answer.headers } }
    if (fault) faults[fault](response, whole)
    else write(response, whole)
  }

  function decide(call: Received, clientAddress: string): SimulatedAnswer {
    const scripted = control.answer?.(call)
    if (scripted) return scripted
    const sinceMs = now() - control.lockOutSeconds * 1_000
    const recent = (failures.get(clientAddress) ?? []).filter((atMs) => atMs > sinceMs)
    if (control.lockOutAfter !== undefined && recent.length >= control.lockOutAfter)
      return failed(control.lockOutStatus, [
        { code: 10502, message: 'Too many authentication failures. Please try again later.' },
      ])
    const answer = route({ ...call, clientAddress }, state, control)
    if (answer.isFailedAuthentication) failures.set(clientAddress, [...recent, now()])
    return answer
  }

  function reset(): void {
    failures.clear()
    received.length = 0
    Object.assign(control, calm(), { lockOutAfter: options.lockOutAfter })
  }

  function finishReset(response: ServerResponse): void {
    reset()
    response.writeHead(204).end()
  }

  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(options.port ?? 0, '127.0.0.1', done)
  })
  return {
    url: `http://127.0.0.1:${portOf(server.address())}${basePath}`,
    state,
    control,
    received,
    connections: () => connections,
    abandoned: () => abandoned,
    reset,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function calm(): Omit<Control, 'lockOutAfter'> {
  return {
    fault: undefined,
    nextFaults: [],
    chooseFault: undefined,
    answer: undefined,
    lockOutStatus: 403,
    lockOutSeconds: 3_600,
    legacyAccountsRefusal: false,
    hold: undefined,
    delayMs: 0,
  }
}

function credentialOf(headers: IncomingHttpHeaders): string {
  return headers.authorization?.replace(/^Bearer /, '') ?? String(headers['x-auth-key'] ?? '')
}

/** Headers of every real answer. The cookies are there to check that no call sends them back. */
function commonHeaders(): Record<string, string> {
  return {
    'cache-control': 'no-store, no-cache, must-revalidate, post-check=0, pre-check=0',
    'cf-cache-status': 'DYNAMIC',
    'cf-ray': `${randomBytes(8).toString('hex')}-SIM`,
    server: 'cloudflare',
    'set-cookie': '__cflb=simulated; HttpOnly; Path=/',
    vary: 'Accept-Encoding',
    ratelimit: '"default";r=1199;t=300',
    'ratelimit-policy': '"default";q=1200;w=300',
  }
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
