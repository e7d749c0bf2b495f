import { expect, test } from 'vitest'
import { createWaitBudget } from '../../cli/keys/wait-budget.ts'

const { signal } = new AbortController()

test('a key is waited for until the bound, all its waits together', async () => {
  let nowMs = 0
  const key = createWaitBudget(1_000, () => nowMs).forKey('a')
  expect(await key.wait(1, signal)).toBe(true)
  nowMs = 998
  expect(await key.wait(1, signal)).toBe(true)
  nowMs = 1_000
  expect(await key.wait(1, signal)).toBe(false)
})

test('a wait of whole seconds, rounded up, that is over with the bound is not given up', async () => {
  let nowMs = 0
  const budget = createWaitBudget(2_000, () => nowMs)
  expect(await budget.forKey('a').wait(1, signal)).toBe(true)
  nowMs = 900
  expect(await budget.forKey('a').wait(2_000, AbortSignal.timeout(1))).toBe(false)
  nowMs = 1_001
  const late = budget.forKey('a')
  expect(await late.wait(2_000, signal)).toBe(false)
})

test('a provider in cool-down for that long is waited for no more, for any key, until it answers', async () => {
  let nowMs = 0
  const budget = createWaitBudget(1_000, () => nowMs)
  expect(await budget.forKey('a').wait(1, signal)).toBe(true)
  nowMs = 1_001
  expect(await budget.forKey('a').wait(1, signal)).toBe(false)
  expect(await budget.forKey('b').wait(1, signal)).toBe(true)
  budget.forKey('a').answered()
  expect(await budget.forKey('a').wait(1, signal)).toBe(true)
})

test('an answer to another key does not extend the budget of a key', async () => {
  let nowMs = 0
  const budget = createWaitBudget(1_000, () => nowMs)
  const key = budget.forKey('a')
  expect(await key.wait(1, signal)).toBe(true)
  nowMs = 1_001
  budget.forKey('a').answered()
  expect(await key.wait(1, signal)).toBe(false)
})

test('a signal ends the wait', async () => {
  const ending = new AbortController()
  const waited = createWaitBudget(1e9).forKey('a').wait(1e8, ending.signal)
  ending.abort()
  expect(await waited).toBe(false)
})
