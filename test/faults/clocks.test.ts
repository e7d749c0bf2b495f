import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { problemOf } from '../support/problem.ts'
import { serviceForTest } from '../support/service.ts'

const warning = 'the clocks of this node and the database differ'

test('measures the offset to the database clock at the start and in health checks: a metric, one warning beyond 2 s, and a message when it ends', async () => {
  const metricsToken = 'metrics-token-of-the-test'
  const service = await serviceForTest({ env: { MUSTER_METRICS_TOKEN: metricsToken } })
  const offset = async () => {
    await service.get('/readyz')
    const { text } = await service.get('/metrics', { token: metricsToken })
    return Number(/^muster_clock_offset_seconds (.+)$/m.exec(text)?.[1])
  }
  expect(await service.logged()).not.toContain(warning)
  expect(Math.abs(await offset())).toBeLessThan(2)
  service.clock.advanceSeconds(-30)
  for (let count = 0; count < 2; count += 1) expect(Math.round((await offset()) / 10)).toBe(-3)
  expect((await service.logged()).split(warning)).toHaveLength(2)
  service.clock.advanceSeconds(30)
  await offset()
  expect(await service.logged()).toContain('the clocks of this node and the database agree again')
})

test('accepts tokens of a node whose clock is up to 60 s ahead, and no longer than until their exp', async () => {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const ahead = await serviceForTest({ on: fresh, env: key })
  const node = await serviceForTest({ on: fresh, env: key })
  ahead.clock.advanceSeconds(45)
  const { token, id } = await ahead.person()
  const read = async (sent: string) => {
    const answer = await node.get('/api/v1/user/data', { token: sent })
    return answer.status === 200 ? { status: 200 } : problemOf(answer)
  }
  expect(await read(token)).toEqual({ status: 200 })
  ahead.clock.advanceSeconds(30)
  const tooFar = (await ahead.parts.issuer?.tokenFor(id))?.access_token ?? ''
  expect(await read(tooFar)).toEqual({ status: 401, code: 'token_invalid' })
  node.clock.advanceSeconds(45 + node.config.issuer.accessTokenSeconds + 6)
  expect(await read(token)).toEqual({ status: 401, code: 'token_expired' })
})

const key = { MUSTER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }
