import { expect, test } from 'vitest'
import { defaultLimits } from '../../engine/limits.ts'
import { provider, valid } from '../../engine/provider.ts'
import { openAddresses } from '../../engine/provider-client.ts'

/** The built-in address of a provider. */
function openAddress(baseUrl: string) {
  const example = provider({
    id: 'example',
    title: 'Example',
    docs: 'https://example.com/docs',
    keyPage: 'https://example.com/keys',
    baseUrl,
    keyTypes: { api_token: { label: 'token' } },
    certainty: 'guess',
    firstRead: { grows: 'never' },
    abilities: { unknown: 'Not known.' },
    request: () => ({ path: '/', headers: {} }),
    classify: () => valid(),
  })
  const address = openAddresses(example, undefined, { limits: defaultLimits }).get('')
  if (!address) throw new Error('The provider has no base address')
  return address
}

test("closes connections to a customer's host after a call, and keeps those to a shared host", async () => {
  let closed = 0
  const origin = {
    call: async () => ({ status: 200, headers: {}, text: '' }),
    async close() {
      closed += 1
    },
  }
  await openAddress('https://api.example').release(origin)
  expect(closed).toBe(0)
  await openAddress('https://*.customers.example').release(origin)
  expect(closed).toBe(1)
})

test("a customer's host requires its label", () => {
  expect(() => openAddress('https://*.customers.example').origin(undefined)).toThrow('malformed')
})
