import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Answer, type Asked, route } from './routes.ts'
import { createState, type StripeState } from './state.ts'

export interface Received {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly form: URLSearchParams
  readonly headers: IncomingMessage['headers']
}

export interface Control {
  /** The next answers are these instead; `reset` ends the connection without one. */
  nextFaults: (Answer | 'reset')[]
  /** Called before an answer is looked up, and waited for: to change the truth while somebody asks. */
  beforeAnswer: ((asked: Received) => Promise<void> | void) | undefined
  /** Called with the answer already made, before it is sent: what happens here is not in it. */
  beforeSending: ((asked: Received) => Promise<void> | void) | undefined
}

export interface StripeSimulator {
  /** To be given as MUSTER_STRIPE_URL. */
  readonly url: string
  readonly state: StripeState
  readonly control: Control
  readonly received: Received[]
  close(): Promise<void>
}

export interface SimulatorOptions {
  /** 0 takes a free port. */
  readonly port?: number
  readonly secretKey?: string
  /** Stripe's clock: of the events, and of the header Date. */
  readonly now?: () => number
}

export const simulatedKey = 'sk_test_simulated'

/** A stand-in for api.stripe.com on loopback. */
export async function startStripeSimulator(options: SimulatorOptions = {}): Promise<StripeSimulator> {
  const { port = 0, secretKey = simulatedKey, now = Date.now } = options
  const state = createState(now)
  const received: Received[] = []
  const control: Control = { nextFaults: [], beforeAnswer: undefined, beforeSending: undefined }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await read(request)
    received.push({ ...asked, headers: request.headers })
    const told = { ...asked, headers: request.headers }
    await control.beforeAnswer?.(told)
    const fault = control.nextFaults.shift()
    if (fault === 'reset') return void response.socket?.resetAndDestroy()
    const { status, body } = fault ?? route(asked, state, secretKey)
    const text = JSON.stringify(body)
    await control.beforeSending?.(told)
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

async function read(request: IncomingMessage): Promise<Asked> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  const url = new URL(request.url ?? '/', 'http://stripe.test')
  const { method = 'GET', headers } = request
  const { authorization } = headers
  return { method, path: url.pathname, query: url.searchParams, form: new URLSearchParams(text), authorization }
}
