import { expect, test } from 'vitest'
import { callsHeld } from '../../engine/backpressure.ts'
import { readProviders } from '../../engine/catalogue.ts'

test('every provider names its documentation and the page for creating keys', async () => {
  for (const { title, docs, keyPage, baseUrl, keyTypes } of (await readProviders()).values()) {
    expect(title).toMatch(/^\S.{1,24}$/)
    for (const url of [docs, keyPage, baseUrl]) expect(new URL(url).protocol).toBe('https:')
    expect(baseUrl).not.toMatch(/\/$/)
    expect(Object.keys(keyTypes).length).toBeGreaterThan(0)
    for (const { label } of Object.values(keyTypes)) expect(label).toMatch(/^\S.{1,39}$/)
  }
})

test('the calls to each provider stay within its documented limit, whenever they begin', async () => {
  for (const { id, callsPerSecondMax = 50, documentedRate: rate } of (await readProviders()).values())
    if (rate) {
      const callsMax = callsHeld(callsPerSecondMax) + callsPerSecondMax * rate.seconds
      expect(callsMax, id).toBeLessThanOrEqual(rate.calls)
      expect(new URL(rate.source).protocol, id).toBe('https:')
    }
})
