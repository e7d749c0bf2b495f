import Value from 'typebox/value'
import { expect, test } from 'vitest'
import { processors } from '../../src/billing/registry.ts'
import { listSettings } from '../../src/config.ts'

test.each(processors.map(({ id, webhook }) => ({ id, webhook })))(
  'the documented event of $id has the members of its example, all of them required',
  ({ webhook: { body, bodyExamples } }) => {
    const example = Object.entries(bodyExamples.updated.value)
    expect(Value.Check(body, Object.fromEntries(example))).toBe(true)
    expect(Object.keys(body.properties).sort()).toEqual(example.map(([name]) => name).sort())
    for (const [missing] of example)
      expect(Value.Check(body, Object.fromEntries(example.filter(([name]) => name !== missing))), missing).toBe(false)
  },
)

test('the documented event of Stripe contains an object', () => {
  const webhook = processors.find(({ id }) => id === 'stripe')?.webhook
  const event = { ...webhook?.bodyExamples.updated.value, data: {} }
  expect(webhook && Value.Check(webhook.body, event)).toBe(false)
})

test('the default Stripe API is Stripe’s own', () => {
  expect(listSettings().find(({ name }) => name === 'MUSTER_STRIPE_URL')).toMatchObject({
    fallback: 'https://api.stripe.com',
    isSecret: false,
  })
})
