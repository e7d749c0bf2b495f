import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createPrimaryPositions,
  walPositionOf,
  walTextOf,
} from '../../../../src/platform/database/replica/wal-position.ts'

const position = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })

test('a place in the log is read as PostgreSQL writes it, in the order of the log', () => {
  expect(walPositionOf('16/B374D848')).toBe(0x16_b374_d848n)
  expect(walTextOf(0x1_0000_000an)).toBe('1/A')
  fc.assert(fc.property(position, (place) => walPositionOf(walTextOf(place)) === place))
  for (const text of ['', '1', '1/', '/1', '1/123456789', 'x/1']) expect(() => walPositionOf(text)).toThrow(TypeError)
})

test('a replica is as late as the newest question whose answer it has replayed, and no earlier answer counts against it', () => {
  const step = fc.record({ waitMs: fc.integer({ min: 1, max: 5_000 }), written: fc.integer({ min: 0, max: 3 }) })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 50 }), fc.nat(150), (steps, replayed) => {
      let nowMs = 0
      let end = 0n
      const asked: { end: bigint; atMs: number }[] = []
      const positions = createPrimaryPositions(() => nowMs)
      for (const { waitMs, written } of steps) {
        const answer = positions.ask()
        const atMs = nowMs
        nowMs += waitMs // The answer takes its time, which counts as lag.
        end += BigInt(written)
        answer(end)
        asked.push({ end, atMs })
      }
      const reached = asked.filter((one) => one.end <= BigInt(replayed)).map(({ atMs }) => (nowMs - atMs) / 1_000)
      expect(positions.ageSecondsAt(BigInt(replayed))).toBe(Math.min(...reached, Number.POSITIVE_INFINITY))
    }),
  )
})

test('a primary that writes nothing makes no replica late, and of another history nothing is known', () => {
  let nowMs = 0
  const positions = createPrimaryPositions(() => nowMs)
  expect(positions.ageSecondsAt(9n)).toBe(Number.POSITIVE_INFINITY)
  for (; nowMs < 3_600_000; nowMs += 1_000) positions.ask()(5n)
  expect(positions.ageSecondsAt(5n)).toBe(1)
  expect(positions.ageSecondsAt(4n)).toBe(Number.POSITIVE_INFINITY)
  positions.forget()
  expect(positions.ageSecondsAt(5n)).toBe(Number.POSITIVE_INFINITY)
})
