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

test('without proof that events arrive nothing cached is used, and no request takes what another one reads', async () => {
  let isProven = true
  const cache = createResponseCache({ bytesMax: 1_000_000, now: () => 0, isProven: () => isProven })
  cache.setConnected(true)
  await cache.getOrLoad('key', answer('proven'))
  isProven = false
  expect(cache.get('key')).toBeUndefined()
  expect(cache.stats().isConnected).toBe(false)
  const both = await Promise.all([cache.getOrLoad('key', answer('first')), cache.getOrLoad('key', answer('second'))])
  expect(both.map(({ text }) => text)).toEqual(['first', 'second'])
  isProven = true
  const shared = await Promise.all([cache.getOrLoad('new', answer('one')), cache.getOrLoad('new', answer('other'))])
  expect(shared.map(({ text }) => text)).toEqual(['one', 'one'])
})

test('an event drops the responses of its account or organisation and no others; “all” drops every one', async () => {
  const cache = createResponseCache({ bytesMax: 1_000_000, now: () => 0, isProven: () => true })
  cache.setConnected(true)
  const fill = async () => {
    for (const [accountId, orgId] of [
      ['ada', 'one'],
      ['bob', 'one'],
      ['cyd', 'two'],
      ['dan', undefined],
    ] as const)
      await cache.getOrLoad(accountId, async () => ({ body: accountId, accountId, orgId, expiresAtMs: 1 }))
  }
  const cached = () => ['ada', 'bob', 'cyd', 'dan'].filter((key) => cache.get(key)?.text === key)
  await fill()
  cache.invalidate('organization:one')
  expect(cached()).toEqual(['cyd', 'dan'])
  cache.invalidate('account:cyd')
  expect(cached()).toEqual(['dan'])
  cache.invalidate('organization:undefined')
  expect(cached()).toEqual(['dan'])
  await fill()
  cache.invalidate('all')
  expect(cached()).toEqual([])
})

test('its memory is bounded: text, key and overhead count, two bytes for each character where one is not Latin-1', async () => {
  const cache = createResponseCache({ bytesMax: 3_000, now: () => 0, isProven: () => true })
  cache.setConnected(true)
  const bytesOf = async (key: string, body: string) => {
    cache.invalidate('all')
    await cache.getOrLoad(key, answer(body))
    return cache.stats().bytes
  }
  expect(await bytesOf('key', 'x'.repeat(100))).toBe(100 + 6 + 600)
  expect(await bytesOf('key', `${'x'.repeat(99)}→`)).toBe(200 + 6 + 600)
  expect(await bytesOf('key', 'x'.repeat(2_395))).toBe(0)
  cache.invalidate('all')
  for (const key of ['a', 'b', 'c', 'd']) {
    await cache.getOrLoad(key, answer('x'.repeat(300)))
    cache.get('a')
  }
  expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key))).toEqual(['a', 'c', 'd'])
  expect(cache.stats()).toMatchObject({ count: 3, bytes: 3 * 902 })
  const none = createResponseCache({ bytesMax: 0, now: () => 0, isProven: () => true })
  none.setConnected(true)
  expect((await none.getOrLoad('key', answer('read'))).text).toBe('read')
  expect(none.stats().count).toBe(0)
})

test('what it counts: hits, misses, and whether events arrive', async () => {
  const cache = createResponseCache({ bytesMax: 1_000_000, now: () => 0, isProven: () => true })
  expect(cache.stats()).toEqual({ count: 0, bytes: 0, hits: 0, misses: 0, isConnected: false })
  cache.setConnected(true)
  cache.get('key')
  await cache.getOrLoad('key', answer('one'))
  cache.get('key')
  cache.get('key')
  expect(cache.stats()).toMatchObject({ count: 1, hits: 2, misses: 1, isConnected: true })
})

test('a failed read is not cached, and the next request reads again', async () => {
  const cache = createResponseCache({ bytesMax: 1_000_000, now: () => 0, isProven: () => true })
  cache.setConnected(true)
  const failed = cache.getOrLoad('key', async () => {
    throw new Error('no database')
  })
  await expect(failed).rejects.toThrow('no database')
  expect((await cache.getOrLoad('key', answer('read'))).text).toBe('read')
  expect(cache.get('key')?.text).toBe('read')
})

test('a read during which 10,000 events of others come is cached; one during which too many come to remember is not', async () => {
  const cache = createResponseCache({ bytesMax: 1_000_000, now: () => 0, isProven: () => true })
  cache.setConnected(true)
  for (const [events, isCached] of [
    [10_000, true],
    [10_000, true],
    [10_000, true],
    [20_001, false],
  ] as const) {
    cache.invalidate('all')
    let finish = (): void => undefined
    const given = cache.getOrLoad('key', async () => {
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      return { body: 'read', accountId: 'me', expiresAtMs: 1 }
    })
    for (let n = 0; n < events; n += 1) cache.invalidate('account:another')
    finish()
    expect((await given).text).toBe('read')
    expect(cache.get('key') !== undefined, `${events} events`).toBe(isCached)
  }
})

test('a read that began before more changes than are remembered is not the answer to a request after them', async () => {
  const cache = createResponseCache({ bytesMax: 1_000_000, now: () => 0, isProven: () => true })
  cache.setConnected(true)
  const finish: (() => void)[] = []
  let reads = 0
  const read = async () => {
    reads += 1
    const body = String(reads)
    await new Promise<void>((resolve) => finish.push(resolve))
    return { body, accountId: 'me', expiresAtMs: 1 }
  }
  const early = cache.getOrLoad('key', read)
  cache.invalidate('account:me')
  for (let n = 0; n < 30_000; n += 1) cache.invalidate('account:another')
  const late = cache.getOrLoad('key', read)
  finish[0]?.()
  await expect.poll(() => finish.length).toBe(2)
  finish[1]?.()
  expect((await late).text).toBe('2')
  await early
})

test('a read that ends does not make others count as changed', async () => {
  const cache = createResponseCache({ bytesMax: 1_000_000, now: () => 0, isProven: () => true })
  cache.setConnected(true)
  const finish = new Map<string, () => void>()
  const read = (accountId: string) =>
    cache.getOrLoad(accountId, async () => {
      await new Promise<void>((resolve) => finish.set(accountId, resolve))
      return { body: accountId, accountId, expiresAtMs: 1 }
    })
  const both = [read('ada'), read('bob')]
  cache.invalidate('account:another')
  finish.get('ada')?.()
  await both[0]
  finish.get('bob')?.()
  await both[1]
  expect(cache.get('bob')?.text).toBe('bob')
})

test('an event drops every response of its subject that is left, and none that no longer depends on it', async () => {
  const cache = createResponseCache({ bytesMax: 1_000_000, now: () => 0, isProven: () => true })
  cache.setConnected(true)
  const fill = (key: string, orgId: string) =>
    cache.getOrLoad(key, async () => ({ body: orgId, accountId: 'me', orgId, expiresAtMs: 1 }))
  await fill('first', 'one')
  await fill('second', 'two')
  cache.invalidate('organization:one')
  expect([cache.get('first'), cache.get('second')?.text]).toEqual([undefined, 'two'])
  await fill('first', 'two')
  cache.invalidate('organization:one')
  expect(cache.get('first')?.text).toBe('two')
  cache.invalidate('organization:two')
  await fill('first', 'one')
  await fill('second', 'two')
  cache.invalidate('organization:one')
  cache.invalidate('account:me')
  expect(cache.get('second')).toBeUndefined()
})

test('the newest 10,000 events are remembered to the last of them, and what comes after they were forgotten still counts', async () => {
  const begin = async (before: number) => {
    const cache = createResponseCache({ bytesMax: 1_000_000, now: () => 0, isProven: () => true })
    cache.setConnected(true)
    for (let n = 1; n < before; n += 1) cache.invalidate('account:another')
    let finish = (): void => undefined
    let reads = 0
    const given = cache.getOrLoad('key', async () => {
      reads += 1
      if (reads === 1)
        await new Promise<void>((resolve) => {
          finish = resolve
        })
      return { body: String(reads), accountId: 'me', expiresAtMs: 1 }
    })
    return {
      cache,
      async end() {
        finish()
        return [(await given).text, cache.get('key')?.text]
      },
    }
  }
  for (const [before, cached] of [
    [10_000, '1'],
    [9_999, undefined],
  ] as const) {
    const { cache, end } = await begin(before)
    for (let n = before; n < 20_000; n += 1) cache.invalidate('account:another')
    expect(await end(), `after ${before} events`).toEqual(['1', cached])
  }
  const late = await begin(25_000)
  late.cache.invalidate('account:me')
  expect(await late.end()).toEqual(['1', undefined])
})
