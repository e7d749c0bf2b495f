import { expect, onTestFinished, test } from 'vitest'
import { startCloudflareSimulator } from '../../../../simulators/cloudflare/server.ts'
import { samples, synthetic } from '../../../../simulators/cloudflare/state.ts'
import { route53ForTest } from '../../../support/route53.ts'
import { type Person, type Service, serviceForTest, testInProcess } from '../../../support/service.ts'
import { newKey } from '../../../support/service-keys.ts'
import { newClient } from '../../../support/test-client.ts'

const path = '/api/v1/provider/keys/validate'
const wrong = (name: string) => synthetic('cfut_', name)
/** Fails twice: at the users' endpoint and at the accounts' endpoint. */
const oldForm = (name: string) => name.padEnd(40, 'x')

/** Locks this address out after ten failures in five minutes. */
async function startNodes({ nodes = 1, env = {} }: { nodes?: number; env?: Record<string, string> } = {}) {
  const services: Service[] = []
  const now = () => services[0]?.clock.now() ?? Date.now()
  const simulator = await startCloudflareSimulator({ now, lockOutAfter: 10 })
  onTestFinished(() => simulator.close())
  Object.assign(simulator.control, { lockOutSeconds: 300 })
  for (let node = 0; node < nodes; node += 1)
    services.push(
      await serviceForTest({
        ...(services[0] && { on: services[0].fresh }),
        env: {
          MUSTER_CLOUDFLARE_URL: simulator.url,
          MUSTER_KEY_CHECKS_PER_MINUTE: '100000',
          MUSTER_TRUSTED_PROXIES: '127.0.0.1',
          ...env,
        },
      }),
    )
  const [service] = services
  if (!service) throw new Error('there is no node')
  return { service, services, simulator }
}

type Caller = Pick<Person, 'token'> & { readonly service: Service; readonly address?: string }

const noCache = { 'cache-control': 'No-Cache, max-age=0' }

/** The verdict, or the code of the problem. Each user has a separate network unless an address is given. */
async function check({ service, token, address }: Caller, apiKey: string, { query = '', headers = {} } = {}) {
  const body = { apiKey, keyType: 'api_token' }
  const answer = await newClient(service, address).send('POST', path + query, { token, body, headers })
  const { isValid, code } = answer.body as { isValid?: boolean; code?: string }
  return { found: isValid ?? code, retryAfter: answer.headers['retry-after'], answer }
}

async function foundFor(caller: Caller, keys: readonly string[]) {
  return (await Promise.all(keys.map((key) => check(caller, key)))).map(({ found }) => found)
}

function tally(values: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1
  return counts
}

const many = (prefix: string, make = wrong, count = 20) =>
  Array.from({ length: count }, (_, n) => make(`${prefix}${n}`))

test.each([
  ['new tokens', wrong],
  ['old-format tokens', oldForm],
])(
  'holds a user back after three of twenty wrong keys, and checks a valid key of another user (%s)',
  async (_, make) => {
    const { service } = await startNodes()
    const [greedy, other] = [await service.person(), await service.person()]
    const address = '198.51.100.7'
    const flood = foundFor({ service, ...greedy, address }, many('Flood', make))
    expect((await check({ service, ...other, address }, samples.userToken)).found).toBe(true)
    expect(tally(await flood)).toEqual({ false: 3, key_checks_held: 17 })
    const held = await check({ service, ...greedy, address }, samples.accountToken)
    expect(held.found).toBe('key_checks_held')
    expect(held.answer.body).toMatchObject({
      status: 429,
      detail: 'Cloudflare rejected several of your keys recently, so the API token was not checked; try again later.',
    })
    expect(Number(held.retryAfter)).toBeGreaterThan(280)
    expect(Number(held.retryAfter)).toBeLessThanOrEqual(300)
    expect((await check({ service, ...other, address }, samples.oldUserToken)).found).toBe(true)
  },
)

testInProcess('checks another user’s valid key during ten minutes of wrong keys, on two nodes', async () => {
  const { service, services, simulator } = await startNodes({ nodes: 2 })
  const [greedy, other] = [await service.person(), await service.person()]
  const address = '198.51.100.7'
  const flood = services.map((node, n) => foundFor({ service: node, ...greedy, address }, many(`Node${n}`, oldForm)))
  for (const node of services)
    expect((await check({ service: node, ...other, address }, samples.userToken)).found).toBe(true)
  expect(tally((await Promise.all(flood)).flat())).toMatchObject({ false: 3 })
  for (let seconds = 0; seconds < 600; seconds += 40) {
    for (const { clock } of services) clock.advanceSeconds(40)
    for (const [n, node] of services.entries()) {
      await foundFor({ service: node, ...greedy, address }, many(`Later${n}-${seconds}-`, oldForm, 5))
      const found = await check({ service: node, ...other, address }, samples.userToken, { headers: noCache })
      expect([seconds, found.found]).toEqual([seconds, true])
    }
  }
  expect(simulator.received.filter(({ path: url }) => url.includes('accounts')).length).toBeGreaterThan(3)
})

testInProcess('lets a user with failures check again when the first failure leaves the window', async () => {
  const { service } = await startNodes()
  const caller = { service, ...(await service.person()) }
  expect(tally(await foundFor(caller, many('First', wrong, 3)))).toEqual({ false: 3 })
  const { retryAfter } = await check(caller, samples.userToken)
  service.clock.advanceSeconds(Number(retryAfter))
  expect((await check(caller, samples.userToken)).found).toBe(true)
})

test('keeps 40 % of the failures for callers without failures, and sends nothing after the last one', async () => {
  const { service, simulator } = await startNodes()
  const newUser = async () => ({ service, ...(await service.person()) })
  const wrongKeysOf = async (user: Awaited<ReturnType<typeof newUser>>, count: number) => {
    for (const key of many(user.id.slice(-12), wrong, count)) expect((await check(user, key)).found).toBe(false)
  }
  const [first, last] = [await newUser(), await newUser()]
  // Six failures of four users, so that no user has used up a share.
  await wrongKeysOf(first, 2)
  await wrongKeysOf(await newUser(), 2)
  await wrongKeysOf(await newUser(), 1)
  await wrongKeysOf(await newUser(), 1)
  expect((await check(first, samples.userToken)).found).toBe('key_checks_held')
  await wrongKeysOf(await newUser(), 1)
  await wrongKeysOf(await newUser(), 1)
  expect((await check(last, samples.userToken)).found).toBe(true)
  // The ninth failure. A second call of this check would be the tenth.
  expect((await check(last, oldForm('Last'))).found).toBe('provider_busy')
  const before = simulator.received.length
  const { found, retryAfter } = await check(await newUser(), samples.oldUserToken)
  expect([found, Number(retryAfter) > 280]).toEqual(['provider_busy', true])
  expect(simulator.received).toHaveLength(before)
})

test('limits the failures of a network whose users are deleted and created again, and checks the keys of others', async () => {
  const { service } = await startNodes({ env: { MUSTER_SIGN_UP: 'open', MUSTER_SIGN_INS_PER_MINUTE: '100000' } })
  const found: unknown[] = []
  for (let n = 0; n < 8; n += 1) {
    const address = `198.51.100.${n + 1}`
    const client = newClient(service, address)
    const email = `again${n}@example.com`
    const password = 'a long enough pass phrase'
    expect((await client.post('/auth/sign-up', { email, password })).status).toBeLessThan(300)
    const { access: token } = await client.openSession({ email, password })
    found.push(...(await foundFor({ service, token, address }, many(`User${n}-`, oldForm, 5))))
    expect((await client.post('/auth/account/erase', { password }, token)).status).toBeLessThan(300)
  }
  expect(tally(found)).toEqual({ false: 4, key_checks_held: 36 })
  const neighbor = await check({ service, ...(await service.person()), address: '198.51.100.99' }, samples.userToken)
  expect(neighbor.answer.body).toMatchObject({
    code: 'key_checks_held',
    detail: expect.stringContaining('rejected several keys from your network'),
  })
  expect((await check({ service, ...(await service.person()) }, samples.userToken)).found).toBe(true)
})

testInProcess(
  'returns the known outcome of a failed key on both nodes and for both users until it leaves the window, and shows only own checks',
  async () => {
    const { service, services, simulator } = await startNodes({ nodes: 2 })
    const [first, second] = [await service.person(), await service.person()]
    const key = wrong('Known')
    expect((await check({ service, ...first }, key)).found).toBe(false)
    for (const { clock } of services) clock.advanceSeconds(280)
    const found = async (node: Service, user: Person) => {
      const sentAtMs = node.clock.now()
      const { answer } = await check({ service: node, ...user }, key, { query: '?details=true' })
      const { details } = answer.body as { details: { cached: boolean; checkedAt: string } }
      expect(answer.body).toMatchObject({ isValid: false, details: { code: 'not_recognised' } })
      return { cached: details.cached, isFromNow: Date.parse(details.checkedAt) >= sentAtMs }
    }
    for (const node of services) {
      expect(await found(node, first)).toEqual({ cached: true, isFromNow: false })
      expect(await found(node, second)).toEqual({ cached: false, isFromNow: true })
      node.clock.advanceSeconds(1)
      expect(await found(node, second)).toEqual({ cached: true, isFromNow: false })
    }
    expect(simulator.received).toHaveLength(1)
    expect(JSON.stringify(await service.sql('select * from failed_key'))).not.toContain(key)
    for (const { clock } of services) clock.advanceSeconds(21)
    expect((await check({ service, ...second }, key)).found).toBe(false)
    expect(simulator.received).toHaveLength(2)
  },
)

testInProcess('sends a failed key again for a fresh check, once in 5 s, and counts each failure', async () => {
  const { service, simulator } = await startNodes()
  const caller = { service, ...(await service.person()) }
  const key = wrong('Fresh')
  const fresh = async () => (await check(caller, key, { headers: noCache })).found
  expect([await fresh(), await fresh(), await fresh()]).toEqual([false, false, false])
  expect(simulator.received).toHaveLength(1)
  for (let n = 0; n < 2; n += 1) {
    service.clock.advanceSeconds(5)
    expect([await fresh(), await fresh()]).toEqual([false, false])
  }
  expect(simulator.received).toHaveLength(3)
  service.clock.advanceSeconds(11)
  expect([await fresh(), (await check(caller, key)).found]).toEqual(['key_checks_held', false])
  expect(simulator.received).toHaveLength(3)
})

testInProcess('calls the provider twice, and again after 5 s, if it rejects new keys for some seconds', async () => {
  const route53 = await route53ForTest()
  const { service } = await startNodes(route53)
  const { token } = await service.person()
  const parts = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' }
  const body = { provider: 'route53', keyType: 'api_key', apiKey: 'route53-unknown-id', parts }
  const found = async () => {
    const answer = (await service.post(path, { token, body })).body as { isValid?: boolean; code?: string }
    return [answer.isValid ?? answer.code, route53.received.length]
  }
  expect([await found(), await found()]).toEqual([
    [false, 2],
    [false, 2],
  ])
  for (const outcome of [
    [false, 4],
    [false, 6],
    ['key_checks_held', 6],
  ]) {
    service.clock.advanceSeconds(5)
    expect(await found()).toEqual(outcome)
  }
})

testInProcess('finds the right AWS secret valid, 3 s after a wrong one on another node', async () => {
  const { simulator, env } = await route53ForTest()
  const { service, services } = await startNodes({ nodes: 2, env })
  let rejectedAtMs = 0
  let rejectedCount = 0
  // AWS rejects every other secret of the ID for 5 s after a wrong one.
  simulator.change = (answer, { path: url }) => {
    if (!url.includes('GetCallerIdentity')) return answer
    const isEarly = answer.status === 200 && service.clock.now() < rejectedAtMs + 5_000
    if (answer.status === 403) rejectedAtMs = service.clock.now()
    if (isEarly) rejectedCount += 1
    const body = {
      Error: { Code: 'SignatureDoesNotMatch', Message: 'The request signature we calculated does not match.' },
    }
    return isEarly ? { status: 403, body } : answer
  }
  const { token } = await service.person()
  const parts = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' }
  const [wrongSecret, rightSecret] = ['route53-wrong-secret', 'route53-valid'].map((apiKey) => ({
    token,
    body: { provider: 'route53', keyType: 'api_key', apiKey, parts },
  }))
  expect((await services[0]?.post(path, wrongSecret))?.body).toMatchObject({ isValid: false })
  for (const { clock } of services) clock.advanceSeconds(3)
  expect((await services[1]?.post(path, rightSecret))?.body).toEqual({
    isValid: true,
    message: 'The AWS access key is valid and active; it can be used.',
  })
  expect(rejectedCount).toBe(1)
})

test('counts failures of a service key against its setting, and not against its network', async () => {
  const { service } = await startNodes({ env: { MUSTER_FAILED_KEYS_OF_SERVICE_KEY: '4' } })
  const admin = await service.person({ role: 'admin' })
  const address = '198.51.100.7'
  const [one, other] = [await newKey(service, admin), await newKey(service, admin)]
  const caller = { service, token: one.key, address }
  expect(tally(await foundFor(caller, many('Program', wrong, 10)))).toEqual({ false: 4, key_checks_held: 6 })
  expect((await check({ service, token: other.key, address }, samples.userToken)).found).toBe(true)
})

testInProcess('ends a batch whose share is used up with lines that contain the retry time', async () => {
  const { service } = await startNodes()
  const { token } = await service.person()
  const send = async (apiKeys: readonly string[]) => {
    const keys = apiKeys.map((apiKey) => ({ apiKey, keyType: 'api_token' }))
    const { text } = await newClient(service).send('POST', `${path}-batch`, { token, body: { keys } })
    const lines = text.trim().split('\n')
    return lines.map((line): BatchLine => JSON.parse(line))
  }
  const keys = [...many('Batch', wrong, 5), samples.userToken]
  const lines = await send(keys)
  expect(lines.map(({ isValid, problem }) => isValid ?? problem?.code)).toEqual([
    ...Array(3).fill(false),
    ...Array(3).fill('key_checks_held'),
  ])
  const wait = Math.max(...lines.map(({ retryAfterSeconds = 0 }) => retryAfterSeconds))
  service.clock.advanceSeconds(wait)
  const rest = await send(keys.filter((_, n) => lines[n]?.problem))
  expect(rest.map(({ isValid }) => isValid)).toEqual([false, false, true])
})

interface BatchLine {
  readonly isValid?: boolean
  readonly problem?: { readonly code: string }
  readonly retryAfterSeconds?: number
}
