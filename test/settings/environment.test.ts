import { expect, test } from 'vitest'
import { embeddedFaults } from '../../src/settings/database.ts'
import { memoryWarning } from '../../src/settings/environment.ts'

const mebibyte = 2 ** 20

test('warns about a memory limit below 256 MiB only', () => {
  expect(memoryWarning(64 * mebibyte)).toBe(
    'This process may use 64 MiB of memory and needs 256 MiB: the system may kill it at any time. Raise the limit.',
  )
  // Node returns 0 if it cannot find out, and a huge number without a limit.
  for (const bytes of [0, 256 * mebibyte, 2 ** 63]) expect(memoryWarning(bytes)).toBeUndefined()
})

test('rejects the embedded database only on Windows', () => {
  expect(embeddedFaults({}, 'win32')).toEqual([
    'DATABASE_URL is required on Windows, where the embedded database is not supported.',
  ])
  for (const platform of ['linux', 'darwin'] as const) expect(embeddedFaults({}, platform)).toEqual([])
})
