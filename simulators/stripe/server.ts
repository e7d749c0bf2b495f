import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type ApiAnswer, type ApiRequest, route } from './routes.ts'
import { createState, type StripeState } from './state.ts'

interface Received {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly form: URLSearchParams
  readonly headers: IncomingMessage['headers']
}

interface Control {
  /** Replaces the next answers; `reset` closes the connection without one. */
  nextFaults: (ApiAnswer | 'reset')[]
  /** Awaited before the answer is created, to change the state during a request. */
  beforeAnswer: ((request: Received) => Promise<void> | void) | undefined
  /** Awaited after the answer is created and before it is sent: later changes are not in it. */
  beforeSending: ((request: Received) => Promise<void> | void) | undefined
}

export interface StripeSimulator {
  /** For MUSTER_STRIPE_URL. */
  readonly url: string
  readonly state: StripeState
  readonly control: Control
  readonly received: Received[]
  close(): Promise<void>
}

interface SimulatorOptions {
  /** 0 means a free port. */
  readonly port?: number
  readonly secretKey?: string
  /** Stripe's clock, for events and the header Date. */
  readonly now?: () => number
}

export const simulatedKey = 'sk_test_simulated'

/** Simulates api.stripe.com on loopback. */
export async function startStripeSimulator(options: SimulatorOptions = {}): Promise<StripeSimulator> {
  const { port = 0, secretKey = simulatedKey, now = Date.now } = options
  const state = createState(now)
  const received: Received[] = []
  const answered = new Map<string, ApiAnswer>()
  const control: Control = { nextFaults: [], beforeAnswer: undefined, beforeSending: undefined }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await read(request)
    const recorded = { ...asked, headers: request.headers }
    received.push(recorded)
    await control.beforeAnswer?.(recorded)
    const fault = control.nextFaults.shift()
    if (fault === 'reset') return void response.socket?.resetAndDestroy()
    const key = asked.method === 'POST' ? request.headers['idempotency-key'] : undefined
    const { status, body } = fault ?? answered.get(String(key)) ?? route(asked, state, secretKey)
    if (key !== undefined && status === 200) answered.set(String(key), { status, body })
    const text = JSON.stringify(body)
    await control.beforeSending?.(recorded)
    const date = new Date(now()).toUTCString()
    response.writeHead(status, {
      'content-type': 'application/json',
      'request-id': `req_${randomBytes(7).toString('hex')}`,
      date,
    })
    response.end(text)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.socket?.resetAndDestroy())
  })
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(port, '127.0.0.1', done)
  })
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`,
    state,
    control,
    received,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function read(request: IncomingMessage): Promise<ApiRequest> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  const url = new URL(request.url ?? '/', 'http://stripe.test')
  const { method = 'GET', headers } = request
  const { authorization } = headers
  return { method, path: url.pathname, query: url.searchParams, form: new URLSearchParams(text), authorization }
}
