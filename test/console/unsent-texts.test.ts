import { expect, test, vi } from 'vitest'
import { catalogue } from '../../key-check/engine/messages.ts'

test('the console explains every code of a value that was not sent, in English and in German', async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'en' })
  vi.stubGlobal('document', { documentElement: {} })
  // By address, because its types are those of a browser.
  const texts = new URL('../../console/src/key-check/texts.ts', import.meta.url).href
  const { unsentTexts }: { unsentTexts: Readonly<Record<string, readonly [string, string]>> } = await import(texts)
  const unsent = Object.entries(catalogue).flatMap(([code, { found }]) =>
    /so (?:it was not|nothing was) sent$/.test(found) ? code : [],
  )
  expect(Object.keys(unsentTexts).sort()).toEqual(unsent.sort())
  for (const [english, german] of Object.values(unsentTexts)) expect(english).not.toBe(german)
})
