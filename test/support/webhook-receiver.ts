import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'
import { createDelivering } from '../../src/webhooks/deliver.ts'
import { openSending } from '../../src/webhooks/target.ts'
import type { Service } from './service.ts'

export const webhooksPath = '/api/v1/admin/webhooks'

/** So that a test may receive on this machine. */
export const receiverEnv = { MUSTER_WEBHOOK_LOOPBACK: 'true' }

export interface ReceivedWebhook {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly event: { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> }
}

/** How a receiver answers: a status, with headers; or not at all. */
export type Reply =
  | number
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | 'silence'

export interface Receiver {
  readonly url: string
  readonly received: ReceivedWebhook[]
  /** Answers of the next webhooks, in this order; afterwards 204. */
  readonly replies: Reply[]
  readonly server: Server
}

/** A true receiver over HTTP, for one test. */
export async function receiverForTest(onReceived: (one: ReceivedWebhook) => void = () => undefined): Promise<Receiver> {
  const received: ReceivedWebhook[] = []
  const replies: Reply[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    request.on('end', () => {
      const one = { id: String(request.headers['webhook-id']), headers: request.headers, text, event: JSON.parse(text) }
      received.push(one)
      onReceived(one)
      const reply = replies.shift() ?? 204
      if (reply === 'silence') return
      if (typeof reply === 'number') response.writeHead(reply).end()
      else response.writeHead(reply.status, reply.headers).end(reply.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}/muster`, received, replies, server }
}

/** One node that sends what is due when the test says so. */
export async function nodeForTest(service: Service, { timeout = 5_000 }: { readonly timeout?: number } = {}) {
  const { webhooks } = service.parts
  if (!webhooks) throw new Error('the service has no webhooks')
  const sending = await openSending(webhooks.settings, { proxies: service.config.outgoingProxies, timeout })
  onTestFinished(() => sending.close())
  const { log } = service.parts
  const delivering = createDelivering({ ...webhooks, sending, now: Date.now, log })
  return {
    async deliver() {
      await delivering.run()
      await delivering.settled()
    },
    start: () => delivering.run(),
    settled: () => delivering.settled(),
  }
}

/** As if so much time had passed for what waits: the clock of the database cannot be moved. */
export async function passWebhookTime(service: Service, seconds: number): Promise<void> {
  await service.sql(`
    update webhook_delivery set next_at = next_at - make_interval(secs => ${seconds}) where state = 'pending'`)
  await service.sql(`
    update webhook_endpoint set failing_since = failing_since - make_interval(secs => ${seconds}),
      previous_until = previous_until - make_interval(secs => ${seconds})`)
}

/** Whether the signature holds, by the library of Standard Webhooks. */
export function isSigned({ headers, text }: ReceivedWebhook, secret: string): boolean {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

export interface MadeEndpoint {
  readonly id: string
  readonly secret: string
}

/** Registers an endpoint over HTTP. */
export async function registerEndpoint(
  service: Service,
  token: string,
  { url, events }: { readonly url: string; readonly events: readonly string[] },
): Promise<MadeEndpoint> {
  const { status, text, body } = await service.post(webhooksPath, { token, body: { url, events } })
  if (status !== 201) throw new Error(`no endpoint was registered: ${text}`)
  return body as MadeEndpoint
}
