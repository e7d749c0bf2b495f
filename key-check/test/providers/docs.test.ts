import { expect, test } from 'vitest'

import { readProviders } from '../../engine/catalogue.ts'

test('every provider says who it is, where its calls are documented and where a key is made', async () => {
  for (const { title, docs, keyPage, baseUrl, keyTypes } of (await readProviders()).values()) {
    expect(title).toMatch(/^\S.{1,24}$/)
    for (const url of [docs, keyPage, baseUrl]) expect(new URL(url).protocol).toBe('https:')
    expect(baseUrl).not.toMatch(/\/$/)
    expect(Object.keys(keyTypes).length).toBeGreaterThan(0)
    for (const { label } of Object.values(keyTypes)) expect(label).toMatch(/^\S.{1,39}$/)
  }
})

test('no provider is called as often as it documents to allow', async () => {
  for (const { id, callsPerSecondMax = 50, documentedRate: rate } of (await readProviders()).values())
    if (rate) {
      expect(callsPerSecondMax, id).toBeLessThan(rate.calls / rate.seconds)
      expect(new URL(rate.source).protocol, id).toBe('https:')
    }
})
