import { expect, onTestFinished, test } from 'vitest'
import { startCloudflareSimulator } from '../../../../simulators/cloudflare/server.ts'
import { samples } from '../../../../simulators/cloudflare/state.ts'
import { route53ForTest } from '../../../support/route53.ts'
import { serviceForTest, testInProcess } from '../../../support/service.ts'
import { newClient } from '../../../support/test-client.ts'

const path = '/api/v1/provider/keys/validate?details=true'

const granted = { abilities: ['zones:list'], zonesVisible: 1, zones: ['example.com'] }

/** A service, and a Cloudflare token that may not list zones until `grant` is called. */
async function startWithLimitedToken() {
  const simulator = await startCloudflareSimulator()
  onTestFinished(() => simulator.close())
  const { tokens } = simulator.state
  const index = tokens.findIndex(({ value }) => value === samples.userToken)
  const [token] = tokens.splice(index, 1)
  if (!token) throw new Error('the simulator has no such token')
  tokens.push({ ...token, permissions: ['user'] })
  const service = await serviceForTest({ env: { MUSTER_CLOUDFLARE_URL: simulator.url } })
  const caller = await service.person()
  const check = async (headers: Record<string, string> = {}) => {
    const body = { apiKey: samples.userToken, keyType: 'api_token' }
    const answer = await newClient(service).send('POST', path, { token: caller.token, body, headers })
    return answer.body as { message: string; details: { capabilities: object; cached: boolean } }
  }
  return { service, simulator, check, grant: () => tokens.splice(-1, 1, token) }
}

testInProcess('names the missing permission, and shows at once that it was added if asked with no-cache', async () => {
  const { service, simulator, check, grant } = await startWithLimitedToken()
  expect(await check()).toEqual({
    isValid: true,
    message: 'The Cloudflare API token is genuine, but it cannot list zones; add the permission Zone → Zone → Read.',
    details: {
      provider: 'cloudflare',
      code: 'ability_missing',
      credential: 'user_token',
      warnings: ['It cannot list zones.'],
      advice: {
        text: 'It never expires. A key with an expiry date is safer.',
        page: 'https://dash.cloudflare.com/profile/api-tokens',
      },
      capabilities: { lacks: ['zones:list'], missing: ['Zone → Zone → Read'] },
      checkedAt: expect.any(String),
      cached: false,
    },
  })
  grant()
  service.clock.advanceSeconds(5)
  expect((await check()).details).toMatchObject({ capabilities: { lacks: ['zones:list'] }, cached: true })
  const fresh = await check({ 'cache-control': 'max-age=0, No-Cache' })
  expect(fresh.details).toMatchObject({ capabilities: granted, cached: false })
  expect(fresh.details.capabilities).toEqual(granted)
  expect(fresh.message).toBe('The Cloudflare API token is valid and active; it can be used.')
  const calls = simulator.received.length
  expect((await check({ 'cache-control': 'no-cache' })).details.cached).toBe(true)
  service.clock.advanceSeconds(4)
  expect((await check({ 'cache-control': 'no-cache' })).details.cached).toBe(true)
  service.clock.advanceSeconds(1)
  for (const value of ['no-store', 'max-age=0', 'x-no-cache'])
    expect((await check({ 'cache-control': value })).details.cached, value).toBe(true)
  expect(simulator.received).toHaveLength(calls)
  expect((await check({ 'cache-control': 'no-cache' })).details.cached).toBe(false)
})

testInProcess('one caller’s check of a valid key shows nowhere in the answers to another caller', async () => {
  const simulator = await startCloudflareSimulator()
  onTestFinished(() => simulator.close())
  const service = await serviceForTest({ env: { MUSTER_CLOUDFLARE_URL: simulator.url } })
  const callers = [await service.person(), await service.person()]
  const [first, second] = callers.map(({ token }) => async (headers: Record<string, string> = {}) => {
    const body = { apiKey: samples.userToken, keyType: 'api_token' }
    const sentAtMs = service.clock.now()
    const answer = await newClient(service).send('POST', path, { token, body, headers })
    const { cached, checkedAt } = (answer.body as { details: { cached: boolean; checkedAt: string } }).details
    return { cached, checkedAt, isFromNow: Date.parse(checkedAt) >= sentAtMs }
  })
  if (!first || !second) throw new Error('there are two callers')
  const own = { cached: false, isFromNow: true }
  expect(await first()).toMatchObject(own)
  const calls = simulator.received.length
  service.clock.advanceSeconds(10)
  const { checkedAt: ofSecond, ...fresh } = await second({ 'cache-control': 'no-cache' })
  expect(fresh).toEqual(own)
  const callsOfFresh = simulator.received.length
  expect(callsOfFresh).toBeGreaterThan(calls)
  service.clock.advanceSeconds(1)
  // The first caller gets the outcome of the second one, at its own time, whether it asks for a fresh one or not.
  const { checkedAt: ofFirst, ...shared } = await first({ 'cache-control': 'no-cache' })
  expect(shared).toEqual(own)
  service.clock.advanceSeconds(20)
  expect(await first()).toEqual({ cached: true, checkedAt: ofFirst, isFromNow: false })
  expect(await second()).toEqual({ cached: true, checkedAt: ofSecond, isFromNow: false })
  expect(simulator.received).toHaveLength(callsOfFresh)
})

testInProcess('forgets a verdict with a missing permission after 10 s', async () => {
  const { service, check, grant } = await startWithLimitedToken()
  await check()
  grant()
  service.clock.advanceSeconds(9)
  expect((await check()).details.cached).toBe(true)
  service.clock.advanceSeconds(1)
  expect((await check()).details).toMatchObject({ capabilities: granted, cached: false })
})

test('never says that an AWS key can be used if it may not list zones, with or without details', async () => {
  const service = await serviceForTest(await route53ForTest())
  const { token } = await service.person()
  const parts = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' }
  const body = { provider: 'route53', keyType: 'api_key', apiKey: 'route53-denied', parts }
  const message = 'The AWS access key is genuine, but it cannot list zones; add the permission route53:ListHostedZones.'
  expect((await service.post('/api/v1/provider/keys/validate', { token, body })).body).toEqual({
    isValid: true,
    message,
  })
  expect((await service.post(path, { token, body })).body).toMatchObject({
    isValid: true,
    message,
    details: { capabilities: { lacks: ['zones:list'], missing: ['route53:ListHostedZones'] } },
  })
})
