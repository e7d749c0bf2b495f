import { expect, test } from 'vitest'
import { createRefusalFloor, type OutdatedHash } from '../../src/sign-in/passwords/hashing-queue.ts'

const minutes = 60_000

/**
 * A machine on which each comparison takes the time in the stored text, and the decoy 40 ms. Without a number it fails.
 */
function machine(hashes: readonly OutdatedHash[]) {
  const state = { nowMs: 0, wallMs: 0, hashes }
  const logged: unknown[] = []
  const floor = createRefusalFloor({
    outdated: async () => state.hashes,
    async measureMs(stored = '40') {
      if (Number.isNaN(Number(stored))) throw new Error(`cannot compare ${stored}`)
      return Number(stored)
    },
    now: () => state.wallMs,
    log: { error: (fault: unknown) => logged.push(fault) },
    timing: {
      monotonicMs: () => state.nowMs,
      sleep: async (ms) => {
        state.nowMs += ms
      },
      random: () => 0,
    },
  })
  async function answeredAfter(ms: number): Promise<number> {
    const startedAtMs = state.nowMs
    const refusable = floor.begin(1)
    state.nowMs += ms
    await refusable()
    await new Promise((resolve) => setImmediate(resolve))
    return state.nowMs - startedAtMs
  }
  return { state, logged, answeredAfter }
}

const bcrypt = { cost: '$2b$12', stored: '640' }
const slow = { cost: '$2b$16', stored: '9000' }

test('late rejections at the maximum of three seconds raise nothing: without the slow hash they are as fast as before', async () => {
  const { state, answeredAfter } = machine([bcrypt, slow])
  await answeredAfter(40)
  for (let count = 0; count < 100; count += 1) expect(await answeredAfter(9_000)).toBe(9_000)
  expect(await answeredAfter(40)).toBe(3_000)
  state.hashes = [bcrypt]
  state.wallMs += 10 * minutes
  expect(await answeredAfter(40)).toBe(800)
})

test('logs a hash that cannot be compared and tries again; until then rejections are delayed by three seconds', async () => {
  const { state, logged, answeredAfter } = machine([{ cost: '$2b$12', stored: 'damaged' }])
  expect(await answeredAfter(40)).toBe(3_000)
  expect(logged).toEqual([{ err: new Error('cannot compare damaged') }])
  expect(await answeredAfter(40)).toBe(3_000)
  expect(logged).toHaveLength(2)
  state.hashes = [bcrypt]
  await answeredAfter(40)
  expect(await answeredAfter(40)).toBe(800)
  expect(logged).toHaveLength(2)
})
