import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { startWebhookLoop } from '../../src/webhooks/deliver.ts'
import { serviceForTest } from '../support/service.ts'
import { receiverEnv, registerEndpoint } from '../support/webhook-receiver.ts'

test("the service's loop sends by itself, and waits for responses in progress before it stops", async () => {
  const service = await serviceForTest({ env: receiverEnv })
  const admin = await service.person({ role: 'admin' })
  let arrive = (): void => undefined
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  let isAnswered = false
  const server = createServer((request, response) => {
    request.resume()
    arrive()
    setTimeout(() => {
      isAnswered = true
      response.writeHead(204).end()
    }, 300)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const { id } = await registerEndpoint(service, admin.token, {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`,
    events: ['organization.created'],
  })
  const { webhooks, log } = service.parts
  if (!webhooks) throw new Error('the service has no webhooks')
  const loop = await startWebhookLoop({ ...webhooks, proxies: service.config.outgoingProxies, now: Date.now, log })
  await service.sql(`insert into organization (name) values ('Engines')`)
  await arrived
  await loop.stop()
  expect(isAnswered).toBe(true)
  expect(await service.sql('select state from webhook_delivery where endpoint_id = $1', [id])).toEqual([
    { state: 'delivered' },
  ])
})
