import { hash } from '@node-rs/argon2'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { createHashingQueue, type HashingLane, hashingLimits } from '../../src/sign-in/passwords/hashing-queue.ts'
import { longLockWaits } from '../support/blocked.ts'
import { freshDatabase } from '../support/database.ts'
import { problemOf } from '../support/problem.ts'
import { type Service, serviceForTest, testInProcess } from '../support/service.ts'
import { newClient, startIssuer } from '../support/test-client.ts'

const limits = hashingLimits({ signInsPerMinute: 60 })

/** Occupies every hash until `end` is called. `hold` queues a client behind them. */
function busy({ parts: { issuer } }: Service) {
  if (!issuer) throw new Error('the built-in issuer is disabled')
  const { hashing } = issuer
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const hold = (lane: HashingLane) => hashing.run(lane, () => ended)
  for (let turn = 0; turn < limits.hashesAtOnce + limits.attemptsBesideHashes; turn += 1) void hold({ isKnown: true })
  return { hashing, hold, end }
}

test('returns 503 overloaded to a sign-up if its network has used its part of the queue, and serves known clients and other networks', async () => {
  const env = { MUSTER_TRUSTED_PROXIES: '127.0.0.1', MUSTER_SIGN_UP: 'open', MUSTER_SIGN_INS_PER_MINUTE: '4' }
  const service = await serviceForTest({ env })
  const { end } = busy(service)
  const signUp = (client: ReturnType<typeof newClient>, name: string) =>
    client.post('/auth/sign-up', { email: `${name}@example.com`, password: 'seventeen small turtles' })
  // All in one /48, each in its own /56.
  const crowd = Array.from({ length: 5 }, (_, n) => newClient(service, `2001:db8:1:${n}00::1`))
  const answers = crowd.map((client, n) => signUp(client, `crowd-${n}`))
  const refused = await Promise.race(answers)
  expect(problemOf(refused)).toEqual({ status: 503, code: 'overloaded' })
  expect(refused.headers['retry-after']).toMatch(/^[1-5]$/)
  const another = signUp(newClient(service), 'ada')
  end()
  const statuses = (await Promise.all([another, ...answers])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([201, 201, 201, 201, 201, 503])
})

test('verifies the password of an open session although unknown clients fill the queue', async () => {
  const service = await serviceForTest({ env: { MUSTER_TRUSTED_PROXIES: '127.0.0.1' } })
  const { token, password } = await service.person()
  const { hashing, hold, end } = busy(service)
  let refused = 0
  const strangers = Array.from({ length: limits.queueMax }, (_, n) =>
    hold({ isKnown: false, network: `network ${n}` }).catch(() => {
      refused += 1
    }),
  )
  expect(hashing.hasPlace({ isKnown: false, network: 'one more' })).toBe(false)
  const answer = newClient(service).post('/auth/factors', { friendlyName: 'Phone', password }, token)
  await expect.poll(() => refused).toBe(1)
  end()
  expect((await answer).status).toBe(201)
  await Promise.all(strangers)
  expect(refused).toBe(1)
})

test('signs in as many users of one network at once as the limit per minute allows', async () => {
  const env = { MUSTER_TRUSTED_PROXIES: '127.0.0.1', MUSTER_SIGN_INS_PER_MINUTE: '20' }
  // They all count in one row, which on a busy machine takes longer than a request may wait for a lock.
  const fresh = await freshDatabase({ limits: longLockWaits })
  onTestFinished(() => fresh.drop())
  const service = await serviceForTest({ env, on: fresh })
  const office = newClient(service)
  const password = 'correct horse'
  const weak = await hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  const emails = Array.from({ length: 20 }, (_, n) => `colleague-${n}@example.com`)
  await service.sql(
    `with made as (insert into account (email) select unnest($1::text[]) returning id, email)
     insert into credential (account_id, email, password) select id, email, $2 from made`,
    [emails, weak],
  )
  const answers = await Promise.all(emails.map((email, n) => office.signIn(email, n % 10 === 0 ? 'wrong' : password)))
  expect(answers.map(({ status }) => status)).toEqual(emails.map((_, n) => (n % 10 === 0 ? 401 : 200)))
})

testInProcess('counts only wrong passwords of unknown clients against their widest network', async () => {
  const service = await serviceForTest({ env: { MUSTER_TRUSTED_PROXIES: '127.0.0.1' } })
  const person = await service.person()
  const { issuer } = service.parts
  if (!issuer) throw new Error('the built-in issuer is disabled')
  const failed: HashingLane[] = []
  const hashing = { ...issuer.hashing, failed: (lane: HashingLane) => void failed.push(lane) }
  const app = buildApp({ ...service.parts, issuer: { ...issuer, hashing } })
  onTestFinished(() => app.close())
  for (const [address, password] of [
    ['198.51.100.7', 'wrong'],
    ['203.0.113.7', person.password],
  ])
    await app.inject({
      method: 'POST',
      url: 'http://muster.test/auth/sign-in',
      headers: { 'x-forwarded-for': address },
      payload: { email: person.email, password },
    })
  expect(failed).toEqual([{ isKnown: false, network: '198.51.100.0/24' }])
})

testInProcess(
  'returns 503 before any statement to an unknown client if the hashing queue is full, and serves a known device',
  async () => {
    const full = await startIssuer()
    const person = await full.person()
    const { device } = await newClient(full).openSession(person)
    await full.sql('delete from sign_in_bucket')
    const { issuer } = full.parts
    const limits = hashingLimits({ signInsPerMinute: 60 })
    const hashing = createHashingQueue({ ...limits, hashesAtOnce: 1, attemptsBesideHashes: 0, queueMax: 1 }, Date.now)
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const running = hashing.run({ isKnown: true }, () => ended)
    const waiting = hashing.run({ isKnown: false, network: 'elsewhere' }, () => ended)
    const app = buildApp({ ...full.parts, ...(issuer && { issuer: { ...issuer, hashing } }) })
    const signIn = async (more: object = {}) => {
      const payload = { email: person.email, password: person.password, ...more }
      return (await app.inject({ method: 'POST', url: 'http://muster.test/auth/sign-in', payload })).statusCode
    }
    expect(await signIn()).toBe(503)
    expect(await full.sql('select from sign_in_bucket')).toEqual([])
    const known = signIn({ device_token: device })
    // The known device takes the place of the unknown client.
    await expect(waiting).rejects.toMatchObject({ code: 'overloaded' })
    end()
    await running
    expect(await known).toBe(200)
    await app.close()
    await full.stop()
  },
)
