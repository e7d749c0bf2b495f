import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createResponseCache } from '../../src/user-data/cache.ts'

/** What can happen, in any order: a change is made, and told later; somebody asks; a read that is under way ends. */
const step = fc.record({
  kind: fc.constantFrom('change' as const, 'ask' as const, 'read' as const, 'finish' as const),
  account: fc.integer({ min: 0, max: 2 }),
})

test('whoever asks after a change was told is given what was read after it, in every order of changes, questions and reads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const cache = createResponseCache({ bytesMax: 1_000_000, now: () => 0, isProven: () => true })
      cache.setConnected(true)
      const versions = [0, 0, 0]
      // A read sees the version of the moment in which the database takes it, and its answer arrives later.
      const waiting: (() => void)[] = []
      const taken: (() => void)[] = []
      const asked: Promise<void>[] = []
      const read = (account: number) => async () => {
        await new Promise<void>((resolve) => waiting.push(resolve))
        const version = versions[account]
        await new Promise<void>((resolve) => taken.push(resolve))
        return { body: String(version), accountId: String(account), expiresAtMs: 1 }
      }
      const act = {
        change(account: number) {
          versions[account] = (versions[account] ?? 0) + 1
          cache.invalidate(`account:${account}`)
        },
        ask(account: number) {
          const atLeast = versions[account] ?? 0
          const given = cache.getOrLoad(`key ${account}`, read(account))
          asked.push(given.then(({ text }) => expect(Number(text)).toBeGreaterThanOrEqual(atLeast)))
        },
        read: () => waiting.shift()?.(),
        finish: () => taken.shift()?.(),
      }
      for (const { kind, account } of steps) {
        act[kind](account)
        for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
      }
      await ended(asked, () => [waiting.shift(), taken.shift()])
      // What is kept in the end is the newest, too.
      for (const [account, version] of versions.entries()) {
        const cached = cache.get(`key ${account}`)
        if (cached) expect(Number(cached.text)).toBe(version)
      }
    }),
    { numRuns: 500 },
  )
})

/** Lets every read end that is still under way, and those that follow. */
async function ended(
  asked: readonly Promise<void>[],
  next: () => readonly ((() => void) | undefined)[],
): Promise<void> {
  let open = asked.length
  const over = Promise.all(asked.map((one) => one.finally(() => (open -= 1))))
  while (open > 0) {
    for (const go of next()) go?.()
    await Promise.resolve()
  }
  await over
}

test('a change of somebody else neither drops a read that is under way nor makes others read again', async () => {
  const cache = createResponseCache({ bytesMax: 1_000_000, now: () => 0, isProven: () => true })
  cache.setConnected(true)
  let reads = 0
  let finish = (): void => undefined
  const read = async () => {
    reads += 1
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return { body: 'mine', accountId: 'me', expiresAtMs: 1 }
  }
  const first = cache.getOrLoad('key', read)
  cache.invalidate('account:somebody-else')
  const second = cache.getOrLoad('key', read)
  finish()
  expect([(await first).text, (await second).text]).toEqual(['mine', 'mine'])
  expect(reads).toBe(1)
  expect(cache.get('key')?.text).toBe('mine')
})

function answer(body: string, expiresAtMs = Number.POSITIVE_INFINITY) {
  return async () => ({ body, accountId: 'me', expiresAtMs })
}

test('no response is used after its session has expired, and none for more than ten minutes', async () => {
  let nowMs = 0
  const cache = createResponseCache({ bytesMax: 1_000_000, now: () => nowMs, isProven: () => true })
  cache.setConnected(true)
  await cache.getOrLoad('short', answer('one', 5_000))
  await cache.getOrLoad('long', answer('two'))
  nowMs = 4_999
  expect(cache.get('short')?.text).toBe('one')
  nowMs = 5_000
  expect(cache.get('short')).toBeUndefined()
  expect((await cache.getOrLoad('short', answer('three'))).text).toBe('three')
  nowMs = 599_999
  expect(cache.get('long')?.text).toBe('two')
  nowMs = 600_000
  expect(cache.get('long')).toBeUndefined()
})

test('nothing is cached while events do not arrive, and nothing read meanwhile is used when they arrive again', async () => {
  const cache = createResponseCache({ bytesMax: 1_000_000, now: () => 0, isProven: () => true })
  await cache.getOrLoad('key', answer('before the first connection'))
  expect(cache.get('key')).toBeUndefined()

  cache.setConnected(true)
  await cache.getOrLoad('key', answer('connected'))
  expect(cache.get('key')?.text).toBe('connected')
  cache.setConnected(false)
  expect(cache.get('key')).toBeUndefined()

  let finish = (): void => undefined
  const underWay = cache.getOrLoad('key', async () => {
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return { body: 'read while disconnected', accountId: 'me', expiresAtMs: Number.POSITIVE_INFINITY }
  })
  cache.setConnected(true)
  finish()
  await underWay
  expect(cache.get('key')).toBeUndefined()
})

test('a connection that is replaced drops what was cached before: events were missed in between', async () => {
  const cache = createResponseCache({ bytesMax: 1_000_000, now: () => 0, isProven: () => true })
  cache.setConnected(true)
  await cache.getOrLoad('key', answer('before'))
  cache.setConnected(true)
  expect(cache.get('key')).toBeUndefined()
})
