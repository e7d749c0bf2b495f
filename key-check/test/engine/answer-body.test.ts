import { expect, test } from 'vitest'
import { instantMs } from '../../engine/answers.ts'

test('instantMs reads every offset and rejects a time without one', () => {
  const noon = Date.parse('2026-10-01T12:00:00Z')
  for (const time of ['12:00:00Z', '12:00:00.000000000Z', '14:00:00+02:00', '08:30:00.0-03:30'])
    expect(instantMs(`2026-10-01T${time}`), time).toBe(noon)
  for (const time of ['12:00:00', '14:00:00 02:00', '14:00:00+0200', '12:00Z', '12:00:00.Z', '12:00:00Z and more'])
    expect(instantMs(`2026-10-01T${time}`), time).toBeNaN()
})
