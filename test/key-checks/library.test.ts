import { expect, onTestFinished, test } from 'vitest'

import { keyChecks as openKeyChecks } from '../../key-check/index.ts'
import { keyCheckOptions, type ProviderSettings } from '../../src/key-checks/library.ts'
import { noProxies } from '../support/no-proxies.ts'

const settings: ProviderSettings = {
  defaultId: 'vultr',
  baseUrls: new Map([['vultr', 'http://127.0.0.1:1']]),
  outgoingAddresses: ['203.0.113.7'],
  proofs: true,
  callsPerSecond: 0,
  lockOutFailures: 0,
  lockOutWindowSeconds: 0,
}

function optionsOf(changed: Partial<ProviderSettings> = {}) {
  return keyCheckOptions({ providers: { ...settings, ...changed }, outgoingProxies: noProxies })
}

test("the operator's limits apply, and 0 means the provider's own value", async () => {
  const callsWith = async (callsPerSecond: number) => {
    const keyChecks = await openKeyChecks(optionsOf({ callsPerSecond }))
    onTestFinished(() => keyChecks.close())
    return keyChecks.callsPerSecondMax('vultr')
  }
  const own = await callsWith(0)
  expect(own).toBeGreaterThan(0)
  expect(await callsWith(own + 1)).toBe(own + 1)
})

test('passes on the default provider, its address, the outgoing addresses and the lockout limits', () => {
  const common = {
    proofs: true,
    defaultProvider: 'vultr',
    listedBy: 'GET /api/v1/providers',
    outgoingAddresses: ['203.0.113.7'],
    baseUrls: { vultr: 'http://127.0.0.1:1' },
    tunnel: expect.any(Function),
  }
  expect(optionsOf()).toEqual({ ...common, limits: {} })
  expect(optionsOf({ lockOutFailures: 8, lockOutWindowSeconds: 60 })).toEqual({
    ...common,
    limits: { lockOutFailures: 8, lockOutWindowMs: 60_000 },
  })
})
