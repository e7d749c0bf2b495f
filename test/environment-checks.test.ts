import { expect, test } from 'vitest'
import { embeddedFaults, memoryWarning } from '../src/settings/environment.ts'

const mebibyte = 2 ** 20

test('a limit of memory below 256 MiB is named; none, and one above, are not', () => {
  expect(memoryWarning(64 * mebibyte)).toBe(
    'This process may use 64 MiB of memory and needs 256 MiB: the system may kill it at any time. Raise the limit.',
  )
  // Node answers 0 where it cannot find out, and a huge number without a limit.
  for (const bytes of [0, 256 * mebibyte, 2 ** 63]) expect(memoryWarning(bytes)).toBeUndefined()
})

test('on Windows the embedded database is refused, and nowhere else', () => {
  expect(embeddedFaults({}, 'win32')).toEqual([
    'DATABASE_URL is required on Windows, where the embedded database is not supported.',
  ])
  for (const platform of ['linux', 'darwin'] as const) expect(embeddedFaults({}, platform)).toEqual([])
})
