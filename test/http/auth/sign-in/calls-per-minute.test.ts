import { expect, onTestFinished, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import { type Answer, serviceForTest } from '../../../support/service.ts'
import { newClient, startIssuer } from '../../../support/test-client.ts'

const proxied = (signInsPerMinute: number) => ({
  MUSTER_TRUSTED_PROXIES: '127.0.0.1',
  MUSTER_SIGN_INS_PER_MINUTE: String(signInsPerMinute),
})

const outcomeOf = (answer: Answer) => (answer.status < 400 ? answer.status : problemOf(answer))
const refused = { status: 401, code: 'sign_in_refused' }
const over = { status: 429, code: 'rate_limited' }

test('exactly as many of 20 parallel attempts on two nodes are checked as one network has, whatever they prove', async () => {
  const first = await startIssuer({ env: proxied(3) })
  onTestFinished(() => first.stop())
  const second = await startIssuer({ env: proxied(3), on: first.fresh })
  onTestFinished(() => second.stop())
  const { address } = newClient(first)
  const attempts = Array.from({ length: 20 }, async (_, n) => {
    const client = newClient(n % 2 === 0 ? first : second, address)
    if (n % 4 < 2) return client.signIn(`parallel-${n}@example.com`, 'wrong horse')
    return client.post('/auth/recovery/complete', { token: 'mlk_x' })
  })
  const outcomes = (await Promise.all(attempts)).map(outcomeOf)
  expect(outcomes.filter((outcome) => JSON.stringify(outcome) !== JSON.stringify(over))).toHaveLength(3)
})

test('an address above its limit takes no attempts of its /24, which has four times as many', async () => {
  const service = await serviceForTest({ env: proxied(1) })
  const from = (host: number) => newClient(service, `203.0.113.${host}`).signIn('nobody@example.com', 'wrong horse')
  const noisy = []
  for (let n = 0; n < 6; n += 1) noisy.push(outcomeOf(await from(1)))
  expect(noisy).toEqual([refused, ...Array(5).fill(over)])
  const others = []
  for (const host of [2, 3, 4]) others.push(outcomeOf(await from(host)))
  expect(others).toEqual([refused, refused, refused])
  const last = await from(5)
  expect(problemOf(last)).toEqual(over)
  expect(last.headers['ratelimit-policy']).toBe('"wide-sign-ins";q=4;w=60')
  const elsewhere = await newClient(service, '203.0.114.1').signIn('nobody@example.com', 'wrong horse')
  expect(outcomeOf(elsewhere)).toEqual(refused)
})

test('an attempt above the limit charges no email, and an attempt of an email that must wait still counts', async () => {
  const service = await serviceForTest({ env: proxied(12) })
  const person = await service.person()
  const client = newClient(service)
  const outcomes = []
  for (let n = 0; n < 13; n += 1) outcomes.push(outcomeOf(await client.signIn(person.email, 'wrong horse')))
  const wait = { status: 429, code: 'sign_in_wait' }
  expect(outcomes).toEqual([...Array(10).fill(refused), wait, wait, over])
  const charged = () => service.sql(`select * from sign_in_bucket where scope <> 'calls' order by key`)
  const before = await charged()
  expect(problemOf(await client.signIn('somebody@example.com', 'wrong horse'))).toEqual(over)
  expect(await charged()).toEqual(before)
})

test('one attempt comes back after the seconds in Retry-After, and no second one', async () => {
  const service = await serviceForTest({ env: proxied(2) })
  const client = newClient(service)
  const tryOnce = () => client.signIn('nobody@example.com', 'wrong horse')
  expect([outcomeOf(await tryOnce()), outcomeOf(await tryOnce())]).toEqual([refused, refused])
  const rejected = await tryOnce()
  const seconds = Number(rejected.headers['retry-after'])
  expect(problemOf(rejected)).toEqual(over)
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(30)
  await service.sql('update sign_in_bucket set full_at = full_at - make_interval(secs => $1)', [seconds])
  service.clock.advanceSeconds(seconds)
  expect([outcomeOf(await tryOnce()), outcomeOf(await tryOnce())]).toEqual([refused, over])
})

test('a network above its limit gets 429 rate_limited without a statement', async () => {
  const service = await serviceForTest({ env: proxied(1) })
  const client = newClient(service)
  expect(outcomeOf(await client.signIn('nobody@example.com', 'wrong horse'))).toEqual(refused)
  const answers = await service.database.transaction(async (rows) => {
    // Every statement on the table would wait until the transaction ends.
    await rows.query({ name: '', text: 'lock table sign_in_bucket in access exclusive mode' }, [])
    const completed = await client.post('/auth/recovery/complete', { token: 'mlk_x' })
    return [await client.signIn('nobody@example.com', 'wrong horse'), completed]
  })
  expect(answers.map(outcomeOf)).toEqual([over, over])
})

test('attempts are counted in a table that a crash of the database does not empty', async () => {
  const service = await serviceForTest({ env: proxied(1) })
  const [table] = await service.sql<{ kept: boolean }>(
    `select relpersistence = 'p' as kept from pg_class where oid = 'sign_in_bucket'::regclass`,
  )
  expect(table).toEqual({ kept: true })
})
