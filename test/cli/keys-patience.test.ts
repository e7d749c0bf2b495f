import { expect, test } from 'vitest'
import { createPatience } from '../../cli/keys/patience.ts'

const { signal } = new AbortController()

test('a key is waited for until the bound, all its waits together', async () => {
  let nowMs = 0
  const turn = createPatience(1_000, () => nowMs).turn('a')
  expect(await turn.wait(1, signal)).toBe(true)
  nowMs = 998
  expect(await turn.wait(1, signal)).toBe(true)
  expect(await turn.wait(3, signal)).toBe(false)
})

test('a provider that has been quiet for that long is waited for no more, whichever key comes, until it answers', async () => {
  let nowMs = 0
  const patience = createPatience(1_000, () => nowMs)
  expect(await patience.turn('a').wait(1, signal)).toBe(true)
  nowMs = 1_001
  expect(await patience.turn('a').wait(1, signal)).toBe(false)
  expect(await patience.turn('b').wait(1, signal)).toBe(true)
  patience.turn('a').answered()
  expect(await patience.turn('a').wait(1, signal)).toBe(true)
})

test('an answer to others does not make a key that is held again and again wait for ever', async () => {
  let nowMs = 0
  const patience = createPatience(1_000, () => nowMs)
  const turn = patience.turn('a')
  expect(await turn.wait(1, signal)).toBe(true)
  nowMs = 1_001
  patience.turn('a').answered()
  expect(await turn.wait(1, signal)).toBe(false)
})

test('a signal ends the wait', async () => {
  const ending = new AbortController()
  const waited = createPatience(1e9).turn('a').wait(1e8, ending.signal)
  ending.abort()
  expect(await waited).toBe(false)
})
