import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sign } from '../../../simulators/stripe/deliver.ts'
import { problemBody } from '../../support/problem.ts'
import { type Answer, type Service, startService } from '../../support/service.ts'

const secrets = { stripe: 'whsec_test_1', paddle: 'pdl_ntfset_test_1' }

let service: Service
beforeAll(async () => {
  service = await startService({
    env: { STRIPE_WEBHOOK_SECRET: secrets.stripe, PADDLE_WEBHOOK_SECRET: secrets.paddle },
  })
})
afterAll(() => service.stop())

function post(path: string, rawBody: string, signature: Readonly<Record<string, string>>): Promise<Answer> {
  return service.post(path, { rawBody, headers: { 'content-type': 'application/json', ...signature } })
}

const seconds = () => Math.floor(service.clock.now() / 1_000)

function postStripe(text: string): Promise<Answer> {
  return post('/webhooks/stripe', text, { 'stripe-signature': sign(text, secrets.stripe, seconds()) })
}

function postPaddle(event: object): Promise<Answer> {
  const [at, text] = [seconds(), JSON.stringify(event)]
  const signature = createHmac('sha256', secrets.paddle).update(`${at}:${text}`).digest('hex')
  return post('/webhooks/paddle', text, { 'paddle-signature': `ts=${at};h1=${signature}` })
}

const problem = (detail?: string) => ({
  ...problemBody('webhook_unreadable'),
  ...(detail !== undefined && { detail }),
})

test('400 webhook_unreadable — a Stripe invoice whose subscription is not an id, in both places where Stripe names it', async () => {
  const detail = 'The object of this invoice.paid lacks a required member.'
  for (const object of [{ subscription: 7 }, { parent: { subscription_details: { subscription: 7 } } }]) {
    const event = { id: 'evt_1', type: 'invoice.paid', created: 1_800_000_000, data: { object } }
    const { body } = await postStripe(JSON.stringify(event))
    expect(body, JSON.stringify(object)).toEqual(problem(detail))
  }
})

test('400 webhook_unreadable — a Paddle subscription without a status, customer or date', async () => {
  const at = '2026-05-01T12:00:00Z'
  const subscription = { id: 'sub_1', status: 'active', customer_id: 'ctm_1', created_at: at }
  const event = (more: object) => ({
    event_id: 'evt_1',
    event_type: 'subscription.updated',
    occurred_at: at,
    data: { ...subscription, items: [{ price: { id: 'pri_1' } }], ...more },
  })
  for (const more of [{ status: '' }, { customer_id: null }, { created_at: 7 }])
    expect((await postPaddle(event(more))).body, JSON.stringify(more)).toEqual(problem())
  expect((await postPaddle(event({}))).body).toEqual({ received: true, outcome: 'applied' })
})
