import { expect, test } from 'vitest'
import { createWaitBudget } from '../../cli/keys/check-rows.ts'

const { signal } = new AbortController()

test('all waits of one key together stay within the budget', async () => {
  let nowMs = 0
  const key = createWaitBudget(1_000, () => nowMs).forKey('a')
  expect(await key.wait(1, signal)).toBe(true)
  nowMs = 998
  expect(await key.wait(1, signal)).toBe(true)
  nowMs = 1_000
  expect(await key.wait(1, signal)).toBe(false)
})

test('a wait that ends with the budget is allowed although providers round up to seconds', async () => {
  let nowMs = 0
  const budget = createWaitBudget(2_000, () => nowMs)
  expect(await budget.forKey('a').wait(1, signal)).toBe(true)
  nowMs = 900
  expect(await budget.forKey('a').wait(2_000, AbortSignal.timeout(1))).toBe(false)
  nowMs = 1_001
  const late = budget.forKey('a')
  expect(await late.wait(2_000, signal)).toBe(false)
})

test('after a provider has used up its budget, no key waits for it until it answers', async () => {
  let nowMs = 0
  const budget = createWaitBudget(1_000, () => nowMs)
  expect(await budget.forKey('a').wait(1, signal)).toBe(true)
  nowMs = 1_001
  expect(await budget.forKey('a').wait(1, signal)).toBe(false)
  expect(await budget.forKey('b').wait(1, signal)).toBe(true)
  budget.forKey('a').answered()
  expect(await budget.forKey('a').wait(1, signal)).toBe(true)
})

test('the answer to another key does not extend the budget of a key', async () => {
  let nowMs = 0
  const budget = createWaitBudget(1_000, () => nowMs)
  const key = budget.forKey('a')
  expect(await key.wait(1, signal)).toBe(true)
  nowMs = 1_001
  budget.forKey('a').answered()
  expect(await key.wait(1, signal)).toBe(false)
})

test('the signal ends the wait', async () => {
  const ending = new AbortController()
  const waited = createWaitBudget(1e9).forKey('a').wait(1e8, ending.signal)
  ending.abort()
  expect(await waited).toBe(false)
})
