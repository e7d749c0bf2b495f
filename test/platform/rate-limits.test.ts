import { parseList } from 'structured-headers'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/platform/database/database.ts'
import { networkOf } from '../../src/platform/http/client-address.ts'
import { Problem } from '../../src/platform/problems.ts'
import { createRateLimits, type LimitPolicy } from '../../src/platform/rate-limits.ts'
import { reusedDatabase } from '../support/reused-database.ts'

const policy: LimitPolicy = { quota: 100, windowSeconds: 60 }

async function nodes(count: number, over: Partial<LimitPolicy> = {}) {
  const fresh = await reusedDatabase()
  onTestFinished(() => fresh.drop())
  const limits = Array.from({ length: count }, () =>
    createRateLimits(fresh.database, { test: { ...policy, ...over } }, Date.now),
  )
  return { fresh, limits }
}

async function passes(take: Promise<unknown>): Promise<boolean> {
  try {
    await take
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(Problem)
    return false
  }
}

test('exactly the quota of 500 parallel calls on two nodes passes', async () => {
  const { limits } = await nodes(2)
  const taken = await Promise.all(
    Array.from({ length: 500 }, (_, n) =>
      passes((limits[n % 2] ?? limits[0])?.take('test', 'key') ?? Promise.reject()),
    ),
  )
  expect(taken.filter(Boolean)).toHaveLength(100)
})

test('concurrent calls are counted in one statement, and a key over its quota needs none', async () => {
  const { fresh } = await nodes(0)
  let statements = 0
  const side: Database['side'] = {
    query(statement, values) {
      statements += 1
      return fresh.database.side.query(statement, values)
    },
  }
  const limits = createRateLimits({ side }, { test: { ...policy, quota: 2 } }, Date.now)
  const pass = (key: string) => passes(limits.take('test', key))
  expect(await Promise.all([pass('one'), pass('two'), pass('one'), pass('one')])).toEqual([true, true, true, false])
  expect(statements).toBe(1)
  expect(await Promise.all([pass('one'), pass('one')])).toEqual([false, false])
  expect(statements).toBe(1)
  expect([await pass('two'), await pass('two')]).toEqual([true, false])
  expect(statements).toBe(2)
})

test('keys are counted separately, and stored as hashes only', async () => {
  const { fresh, limits } = await nodes(1, { quota: 1 })
  const [limit] = limits
  expect(await passes(limit?.take('test', 'ada@example.com') ?? Promise.reject())).toBe(true)
  expect(await passes(limit?.take('test', 'grace@example.com') ?? Promise.reject())).toBe(true)
  expect(await passes(limit?.take('test', 'ada@example.com') ?? Promise.reject())).toBe(false)
  const rows = await fresh.database.query<{ key: string }>({ name: 'k', text: 'select key from rate_limit' }, [])
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows)).not.toContain('@')
})

test('the headers have the quota and the remaining calls, also when a call is rejected', async () => {
  const { limits } = await nodes(1, { quota: 1 })
  const headers = await limits[0]?.take('test', 'key')
  const [[name, told] = []] = parseList(headers?.['ratelimit-policy'] ?? '')
  expect([name, told instanceof Map && Object.fromEntries(told)]).toEqual(['test', { q: 1, w: 60 }])
  expect(headers?.ratelimit).toMatch(/^"test";r=0;t=\d+$/)
  const refusal = await limits[0]?.take('test', 'key').catch((error: unknown) => error)
  if (!(refusal instanceof Problem)) throw new Error('it was not refused')
  expect(refusal.code).toBe('rate_limited')
  expect(refusal.more.retryAfterSeconds).toBeGreaterThan(0)
  expect(refusal.more.headers?.ratelimit).toMatch(/^"test";r=0;t=\d+$/)
})

test('a new window has a new quota', async () => {
  const { fresh, limits } = await nodes(2, { quota: 1 })
  expect(await passes(limits[0]?.take('test', 'key') ?? Promise.reject())).toBe(true)
  await fresh.database.query({ name: 'e', text: 'update rate_limit set expire = expire - 60000' }, [])
  expect(await passes(limits[1]?.take('test', 'key') ?? Promise.reject())).toBe(true)
})

test('while the database is unavailable, each node counts for itself and no call fails', async () => {
  const unreachable = { side: { query: () => Promise.reject(new Error('gone')) } }
  // The trust boundary of a test: the code only calls `query` on these connections.
  const limits = createRateLimits(unreachable as never, { test: { ...policy, quota: 3 } }, Date.now)
  const taken = []
  for (let call = 0; call < 5; call += 1) taken.push(await passes(limits.take('test', 'key')))
  expect(taken).toEqual([true, true, true, false, false])
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:C000:0201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['::1', '::/64'],
  ['not an address', 'unknown'],
])('networkOf(%s) returns %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
