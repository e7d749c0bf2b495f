import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts'
import { problemOf } from '../support/problem.ts'
import { type Person, type Service, serviceForTest } from '../support/service.ts'

interface Scene {
  readonly service: Service
  readonly proxy: DatabaseProxy
  readonly person: Person
  read(): Promise<{ status: number; code?: string | undefined }>
  /** Another node disables the account. */
  disable(): Promise<void>
}

/** A service that reaches its database through a proxy, and a person whose answer is cached. */
async function sceneForTest(): Promise<Scene> {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const proxy = await startDatabaseProxy(fresh, {
    queryTimeoutMs: 2_000,
    statementTimeoutMs: 1_500,
    connectTimeoutMs: 10_000,
  })
  const service = await serviceForTest({ on: { ...fresh, database: proxy.database } })
  const person = await service.person()
  const { cache } = service.parts
  const scene: Scene = {
    service,
    proxy,
    person,
    async read() {
      const answer = await service.get('/api/v1/user/data', { token: person.token })
      return answer.status === 200 ? { status: 200 } : problemOf(answer)
    },
    disable: async () => void (await fresh.sql('update account set disabled_at = now() where id = $1', [person.id])),
  }
  await expect.poll(() => cache.stats().isConnected).toBe(true)
  await service.parts.invalidation.settled()
  await scene.read()
  const { hits } = cache.stats()
  expect(await scene.read()).toEqual({ status: 200 })
  expect(cache.stats().hits).toBe(hits + 1)
  return scene
}

const refused = { status: 401, code: 'account_disabled' }
const unavailable = { status: 503, code: 'database_unavailable' }

test('frozen looks at the changes: a disabled account is refused when the last proof is older than the bound', async () => {
  const { service, proxy, read, disable } = await sceneForTest()
  proxy.freeze('polling')
  await disable()
  service.clock.advanceMonotonicSeconds(service.config.freshnessSeconds)
  expect(await read()).toEqual(refused)
  // What was read without proof is not cached for those who come later.
  expect(await read()).toEqual(refused)
})

test('a frozen network: no cached answer is sent beyond the bound, and the truth is when the network is back', async () => {
  const { service, proxy, read, disable } = await sceneForTest()
  proxy.freeze('all')
  await disable()
  service.clock.advanceMonotonicSeconds(service.config.freshnessSeconds)
  expect(await read()).toEqual(unavailable)
  proxy.freeze('none')
  await expect.poll(read).toEqual(refused)
})

test('what the health check finds ends the use of the cache at once', async () => {
  const { service, proxy, read, disable } = await sceneForTest()
  proxy.freeze('all')
  await disable()
  expect(problemOf(await service.get('/readyz'))).toEqual(unavailable)
  expect(await read()).toEqual(unavailable)
})

test('after a doubt that proves unfounded the cache serves again, and a thawed connection loses no change', async () => {
  const { service, proxy, read, disable } = await sceneForTest()
  const { cache, onDatabaseUnreachable } = service.parts
  onDatabaseUnreachable()
  expect(cache.stats().isConnected).toBe(false)
  await expect.poll(() => cache.stats().isConnected).toBe(true)
  proxy.freeze('polling')
  await disable()
  proxy.freeze('none')
  await expect.poll(read).toEqual(refused)
})
