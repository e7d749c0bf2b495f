import { expect, onTestFinished, test } from 'vitest'

import { createValidation, type ProviderSettings, validationOptions } from '../../../src/key-checks/engine/check.ts'

const settings: ProviderSettings = {
  defaultId: 'vultr',
  baseUrls: new Map([['vultr', 'http://127.0.0.1:1']]),
  callsPerSecond: 0,
  bulkFailuresMax: 0,
  failureWindowSeconds: 60,
}

async function boundsWith(more: Partial<ProviderSettings>) {
  const validation = await createValidation(validationOptions({ ...settings, ...more }))
  onTestFinished(() => validation.close())
  return { calls: validation.callsPerSecondMax('vultr'), failures: validation.bulkFailuresMax('vultr') }
}

test('what the operator sets bounds calls and failures, and 0 leaves both to the provider', async () => {
  const own = await boundsWith({})
  expect(own.calls).toBeGreaterThan(0)
  expect(own.failures).toBeGreaterThan(0)
  expect(await boundsWith({ callsPerSecond: own.calls + 1 })).toEqual({ ...own, calls: own.calls + 1 })
  expect(await boundsWith({ bulkFailuresMax: own.failures + 1 })).toEqual({ ...own, failures: own.failures + 1 })
})

test('the default provider, its address and the window of failures are those that are set', () => {
  expect(validationOptions(settings)).toEqual({
    defaultProvider: 'vultr',
    baseUrls: { vultr: 'http://127.0.0.1:1' },
    limits: { failureWindowMs: 60_000 },
  })
})
