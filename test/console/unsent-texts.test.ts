import { expect, test, vi } from 'vitest'
import { catalogue } from '../../key-check/engine/messages.ts'

test('the console explains every code of a value that was not sent, in English and in German', async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'en' })
  vi.stubGlobal('document', { documentElement: {} })
  const { unsentTexts } = await import('../../console/src/key-check/texts.ts')
  const unsent = Object.entries(catalogue).flatMap(([code, { found }]) =>
    found.endsWith('so it was not sent') ? code : [],
  )
  expect(Object.keys(unsentTexts).sort()).toEqual(unsent.sort())
  for (const [english, german] of Object.values(unsentTexts)) expect(english).not.toBe(german)
})
