import { expect, test } from 'vitest'
import { createFreshness } from '../../../src/platform/database/freshness.ts'

test('a proof counts from the beginning of its look, and ends before the bound by what an answer takes to leave', () => {
  let nowMs = 1_000
  const freshness = createFreshness(5, () => nowMs)
  expect(freshness.isProven()).toBe(false)
  const arrived = freshness.begin()
  nowMs += 3_000
  arrived()
  expect(freshness.isProven()).toBe(true)
  expect(freshness.ageSeconds()).toBe(3)
  nowMs += 1_899
  expect(freshness.isProven()).toBe(true)
  nowMs += 1
  expect(freshness.isProven()).toBe(false)
})

test('a look that was under way when the proof was withdrawn proves nothing', () => {
  const freshness = createFreshness(5, () => 0)
  const arrived = freshness.begin()
  freshness.withdraw()
  arrived()
  expect(freshness.isProven()).toBe(false)
  freshness.begin()()
  expect(freshness.isProven()).toBe(true)
})
