import { expect, test } from 'vitest'
import { sampleOf, textOf } from '../scripts/mutation/sample.ts'

const some = (count: number, status: 'killed' | 'survived' | 'equivalent' | 'not run') =>
  Array.from({ length: count }, () => ({ status }))

test('the score of a sample has the bounds of Wilson', () => {
  const drawn = [...some(90, 'killed'), ...some(10, 'survived'), ...some(1, 'not run')]
  expect(textOf(sampleOf(drawn))).toBe('90.0 % of 100 (82.6 % to 94.5 %)')
})

test('what was tried after the first that was not is no sample, and an equivalent mutant does not count', () => {
  const before = [...some(60, 'killed'), ...some(5, 'equivalent'), ...some(4, 'survived')]
  expect(sampleOf([...before, ...some(1, 'not run'), ...some(100, 'killed')])).toMatchObject({
    size: 64,
    score: 60 / 64,
  })
})

test('a part that was tried whole needs no sample, and few mutants are none', () => {
  expect(sampleOf(some(100, 'killed'))).toBeUndefined()
  expect(sampleOf([...some(49, 'killed'), ...some(9, 'not run')])).toBeUndefined()
  expect(textOf(undefined)).toBe('–')
})
