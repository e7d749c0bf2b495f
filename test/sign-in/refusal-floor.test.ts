import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secret } from '../../src/platform/secret.ts'
import { createRefusalFloor, type OutdatedHash } from '../../src/sign-in/passwords/hashing-queue.ts'
import { currentPrefix, hashPassword } from '../../src/sign-in/passwords/passwords.ts'
import { countStoredHashes, outdatedHashes } from '../../src/sign-in/passwords/stored-hashes.ts'
import { problemOf } from '../support/problem.ts'
import { serviceForTest } from '../support/service.ts'

/** A machine on which each comparison takes the time in the stored text, and the decoy 40 ms. */
function machine(hashes: readonly OutdatedHash[]) {
  const state = { nowMs: 0, wallMs: 0, hashes, compared: 0, random: 0, held: Promise.resolve() }
  const floor = createRefusalFloor({
    outdated: async () => state.hashes,
    async measureMs(stored) {
      state.compared += 1
      await state.held
      return stored === undefined ? 40 : Number(stored)
    },
    now: () => state.wallMs,
    log: { error: (fault: unknown) => expect.fail(String(fault)) },
    timing: {
      monotonicMs: () => state.nowMs,
      sleep: async (ms) => {
        state.nowMs += ms
      },
      random: () => state.random,
    },
  })
  /** The time of a rejection whose comparison took `ms`, after background work has ended. */
  async function answeredAfter(ms: number, comparisons = 1): Promise<number> {
    const startedAtMs = state.nowMs
    const refusable = floor.begin(comparisons)
    state.nowMs += ms
    await refusable()
    await new Promise((resolve) => setImmediate(resolve))
    return state.nowMs - startedAtMs
  }
  return { state, answeredAfter }
}

const bcrypt = { cost: '$2b$12', stored: '640' }
const scrypt = { cost: '$scrypt$ln=14,r=8,p=1', stored: '260' }

test('delays all rejections equally, whatever their own hash costs, with a margin for the slowest', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: 0, max: 640 * 1.2, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (ms, random) => {
        const { state, answeredAfter } = machine([scrypt, bcrypt])
        await answeredAfter(40)
        state.random = random
        expect(await answeredAfter(ms)).toBeCloseTo(800 * (1 + 0.05 * random), 6)
      },
    ),
  )
})

test('delays rejections by three seconds until the slowest hash is measured', async () => {
  const { answeredAfter } = machine([bcrypt])
  expect(await answeredAfter(640)).toBe(3_000)
  expect(await answeredAfter(640)).toBe(800)
})

test('further rejections wait for the running measurement and start none', async () => {
  const { state, answeredAfter } = machine([bcrypt])
  let measure = () => {}
  state.held = new Promise((resolve) => {
    measure = resolve
  })
  for (let n = 0; n < 3; n += 1) expect(await answeredAfter(640)).toBe(3_000)
  measure()
  await new Promise((resolve) => setImmediate(resolve))
  // Five samples of the decoy and five of bcrypt.
  expect(state.compared).toBe(10)
  expect(await answeredAfter(640)).toBe(800)
})

test('a hash that is cheaper than the current one does not show either, and two comparisons take twice as long', async () => {
  const { answeredAfter } = machine([{ cost: '$2b$04', stored: '2' }])
  await answeredAfter(40)
  expect(await answeredAfter(2)).toBe(50)
  expect(await answeredAfter(4, 2)).toBe(100)
})

test('on a machine that became slower, rejections of unknown emails soon take as long as late ones', async () => {
  const { state, answeredAfter } = machine([bcrypt])
  await answeredAfter(40)
  const times: number[] = []
  for (let count = 0; count < 20; count += 1) times.push(await answeredAfter(1_300))
  expect(times[0]).toBe(1_300)
  expect(await answeredAfter(40)).toBeGreaterThanOrEqual(1_300)
  expect(await answeredAfter(40)).toBeLessThan(1_300 * 1.05)
  for (let count = 0; count < 10; count += 1) {
    state.wallMs += 600_000
    await answeredAfter(40)
  }
  expect(await answeredAfter(40)).toBe(800)
})

test('without imported hashes nothing is measured or delayed', async () => {
  const { state, answeredAfter } = machine([])
  expect(await answeredAfter(37)).toBe(37)
  expect(state.compared).toBe(0)
})

test('detects an import, and the end of the last slow hash, after ten minutes, and measures each cost once', async () => {
  const { state, answeredAfter } = machine([])
  await answeredAfter(40)
  state.hashes = [bcrypt]
  expect(await answeredAfter(40)).toBe(40)
  state.wallMs += 600_000
  await answeredAfter(40)
  expect(await answeredAfter(40)).toBe(800)
  state.wallMs += 600_000
  expect(await answeredAfter(40)).toBe(800)
  expect(state.compared).toBe(10)
  state.hashes = []
  state.wallMs += 600_000
  expect(await answeredAfter(40)).toBe(40)
})

test('never delays a rejection by more than three seconds, and measures a slower hash once', async () => {
  const { state, answeredAfter } = machine([{ cost: '$pbkdf2-sha512$i=9999999', stored: '9000' }])
  await answeredAfter(40)
  expect(await answeredAfter(40)).toBe(3_000)
  expect(state.compared).toBe(6)
})

test('after an import, the 401 for an unknown email takes as long as for an imported account', async () => {
  // One service each: the first rejection is sent while the hash is still being measured.
  const times = await Promise.all(
    ['imported', 'unknown'].map(async (address) => {
      const service = await serviceForTest()
      const person = await service.person()
      const hash = '$pbkdf2-sha256$i=1000$c2FsdHNhbHQ$aGFzaGhhc2g'
      await service.sql(`update credential set password = $2 where account_id = $1`, [person.id, hash])
      const email = address === 'imported' ? person.email : 'unknown@example.com'
      const startedAtMs = performance.now()
      const answer = await service.post('/auth/sign-in', { body: { email, password: 'wrong' } })
      expect(problemOf(answer)).toEqual({ status: 401, code: 'sign_in_refused' })
      return performance.now() - startedAtMs
    }),
  )
  // A delay is never too short, however busy the machine is.
  expect(Math.min(...times)).toBeGreaterThan(2_800)
})

test('distinguishes the schemes and costs of a database, and the index excludes only the current one', async () => {
  const service = await serviceForTest()
  const hashes = [
    '$2b$12$abcdefghijklmnopqrstuuDkSSiyaUKOjhNLZvzuj9J4V7RlGRQPi',
    '$2b$12$bbcdefghijklmnopqrstuuDkSSiyaUKOjhNLZvzuj9J4V7RlGRQPi',
    '$scrypt$ln=14,r=8,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
    '$pbkdf2-sha256$i=600000$c2FsdHNhbHQ$aGFzaGhhc2g',
    '$argon2id$v=19$m=8192,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
    'plain',
    await hashPassword(new Secret('x')),
  ]
  for (const stored of hashes) {
    const person = await service.person()
    await service.sql(`update credential set password = $2 where account_id = $1`, [person.id, stored])
  }
  expect(await countStoredHashes(service.database)).toEqual(
    expect.arrayContaining([
      { cost: '$2b$12', accounts: 2, isCurrent: false },
      { cost: '$scrypt$ln=14,r=8,p=1', accounts: 1, isCurrent: false },
      { cost: '$pbkdf2-sha256$i=600000', accounts: 1, isCurrent: false },
      { cost: '$argon2id$v=19$m=8192,t=1,p=1', accounts: 1, isCurrent: false },
      { cost: '', accounts: 1, isCurrent: false },
      { cost: currentPrefix.slice(0, -1), accounts: 1, isCurrent: true },
    ]),
  )
  expect((await outdatedHashes(service.database)).map(({ cost }) => cost).sort()).toEqual(
    ['', '$2b$12', '$argon2id$v=19$m=8192,t=1,p=1', '$pbkdf2-sha256$i=600000', '$scrypt$ln=14,r=8,p=1'].sort(),
  )
  const [index] = await service.sql<{ text: string }>(
    `select indexdef as text from pg_indexes where indexname = 'credential_outdated'`,
  )
  expect(index?.text).toContain(`'${currentPrefix}%'`)
})
