import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import { type Answer, type Service, serviceForTest } from '../../../support/service.ts'
import { codeAt, enrol, laterCode, newClient, passTime, startIssuer, tokensOf } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())
beforeEach(async () => {
  await service.sql('delete from sign_in_bucket')
})

const wait = { status: 429, code: 'sign_in_wait' }

/** Sends wrong passwords, each from its own network. */
async function strangersTry(email: string, times: number): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let n = 0; n < times; n += 1) answers.push(await newClient(service).signIn(email, 'wrong password'))
  return answers
}

test('one failing client does not lock out others behind its address', async () => {
  const office = newClient(service)
  const person = await service.person()
  // In an earlier version, 31 failures with made-up emails blocked everyone behind the address.
  for (let n = 0; n < 31; n += 1) expect((await office.signIn(`made-up-${n}@example.com`, 'x')).status).toBe(401)
  for (let n = 0; n < 3; n += 1) expect((await office.signIn(person.email, person.password)).status).toBe(200)
})

test('forty users behind one address who each mistype once can all sign in', async () => {
  const office = newClient(service)
  const password = 'correct horse'
  const weak = await hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  const emails = Array.from({ length: 40 }, (_, n) => `colleague-${n}@example.com`)
  await service.sql(
    `with made as (insert into account (email) select unnest($1::text[]) returning id, email)
     insert into credential (account_id, email, password) select id, email, $2 from made`,
    [emails, weak],
  )
  const statuses: number[] = []
  for (const email of emails) {
    await office.signIn(email, 'corect horse')
    statuses.push((await office.signIn(email, password)).status)
  }
  expect(statuses).toEqual(emails.map(() => 200))
  const [left] = await service.sql<{ seconds: number }>(
    `select extract(epoch from max(full_at) - now())::int as seconds from sign_in_bucket`,
  )
  expect(left?.seconds).toBeLessThanOrEqual(0)
})

test('returns 429 for a correct password while rate limited, without counting it or extending the limit', async () => {
  const person = await service.person()
  await strangersTry(person.email, 10)
  const rows = () => service.sql(`select * from sign_in_bucket where scope <> 'calls' order by key`)
  const audited = () => service.sql('select count(*) from audit_event')
  const before = [await rows(), await audited()]
  const first = await newClient(service).signIn(person.email, person.password)
  expect(problemOf(first)).toEqual(wait)
  expect(first.body).toMatchObject({ scope: 'account', ways: ['known_device', 'second_factor'] })
  for (let n = 0; n < 6; n += 1)
    expect(problemOf(await newClient(service).signIn(person.email, person.password))).toEqual(wait)
  expect([await rows(), await audited()]).toEqual(before)
  const seconds = Number(first.headers['retry-after'])
  expect(seconds).toBeGreaterThan(800)
  expect(seconds).toBeLessThanOrEqual(900)
  await passTime(service, seconds)
  expect((await newClient(service).signIn(person.email, person.password)).status).toBe(200)
})

test('returns the same 429 for an email without an account', async () => {
  const person = await service.person()
  const shape = ({ status, headers, body }: Answer) => {
    const { instance, ...rest } = body as Record<string, unknown>
    const names = Object.keys(headers).filter((name) => name !== 'date')
    return { status, rest, names }
  }
  const known = (await strangersTry(person.email, 12)).map(shape)
  expect((await strangersTry('nobody@example.com', 12)).map(shape)).toEqual(known)
  expect(known.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429, 429])
})

test('failures elsewhere never block a known device, a known network or a second factor', async () => {
  const person = await service.person()
  const home = newClient(service)
  const { device } = await home.openSession(person)
  const statuses = (await strangersTry(person.email, 31)).map(({ status }) => status)
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(21).fill(429)])

  const hotel = newClient(service)
  expect(problemOf(await hotel.signIn(person.email, person.password))).toEqual(wait)
  expect((await home.signIn(person.email, person.password)).status).toBe(200)
  const onDevice = await hotel.signIn(person.email, person.password, { device_token: device })
  expect(tokensOf(onDevice).device).toBe(device)

  const factor = await enrol(service, person.token, { password: person.password })
  laterCode(service)
  const abroad = newClient(service)
  const code = codeAt(factor.secret, service.clock.now())
  expect(problemOf(await abroad.signIn(person.email, person.password))).toEqual(wait)
  const passed = await abroad.signIn(person.email, person.password, { factorId: factor.id, code })
  expect(tokensOf(passed).access).toMatch(/^ey/)
})

describe('a sign-in with a second proof', () => {
  async function waitingMember() {
    const person = await service.person()
    const factor = await enrol(service, person.token, { password: person.password })
    laterCode(service)
    await service.sql('delete from sign_in_bucket')
    await strangersTry(person.email, 10)
    return { ...person, factor, code: () => codeAt(factor.secret, service.clock.now()) }
  }

  test('passes the rate limit once with a recovery code', async () => {
    const { email, password, factor } = await waitingMember()
    const [recoveryCode] = factor.recoveryCodes
    expect((await newClient(service).signIn(email, password, { recoveryCode })).status).toBe(200)
    expect(problemOf(await newClient(service).signIn(email, password, { recoveryCode }))).toEqual(wait)
  })

  test('returns code_refused for a wrong code, and still rejects a wrong password with a correct code', async () => {
    const { email, password, factor, code } = await waitingMember()
    const old = codeAt(factor.secret, service.clock.now() - 3_600_000)
    const client = newClient(service)
    expect(problemOf(await client.signIn(email, password, { factorId: factor.id, code: old }))).toEqual({
      status: 403,
      code: 'code_refused',
    })
    // Four units are left and a correct code returns none: it allows four passwords, not any number.
    for (let n = 0; n < 4; n += 1)
      expect(problemOf(await client.signIn(email, 'wrong', { factorId: factor.id, code: code() }))).toEqual({
        status: 401,
        code: 'sign_in_refused',
      })
    expect(problemOf(await client.signIn(email, password, { factorId: factor.id, code: code() }))).toEqual(wait)
  })

  test('without a valid factor id or recovery code cannot use up the owner’s codes', async () => {
    const { email, password, factor, code } = await waitingMember()
    const before = await service.sql(`select * from sign_in_bucket where scope <> 'calls' order by key`)
    const stranger = newClient(service)
    for (const proof of [
      { recoveryCode: 'aaaa-bbbb-cccc-dddd' },
      { factorId: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55', code: '123456' },
    ])
      expect(problemOf(await stranger.signIn(email, password, proof))).toEqual(wait)
    expect(problemOf(await stranger.signIn('nobody@example.com', 'x', { recoveryCode: 'x' }))).toEqual({
      status: 401,
      code: 'sign_in_refused',
    })
    await service.sql(`delete from sign_in_bucket where key <> all($1::bytea[])`, [
      before.map((row) => (row as { key: Buffer }).key),
    ])
    expect((await newClient(service).signIn(email, password, { factorId: factor.id, code: code() })).status).toBe(200)
  })

  test('completes in one step without a rate limit', async () => {
    const { email, password, factor, code } = await waitingMember()
    await service.sql('delete from sign_in_bucket')
    const proof = { factorId: factor.id, code: code() }
    expect(tokensOf(await newClient(service).signIn(email, password, proof)).access).toMatch(/^ey/)
    expect(problemOf(await newClient(service).signIn(email, password, proof)).code).toBe('code_refused')
    expect(problemOf(await newClient(service).signIn(email, password, { code: '123456' }))).toEqual({
      status: 400,
      code: 'input_invalid',
    })
  })
})

test('a network with an exhausted limit rejects unknown devices with 429, and no known one', async () => {
  const person = await service.person()
  const client = newClient(service)
  const { device } = await client.openSession(person)
  const other = await service.person()
  await client.signIn('somebody@example.com', 'x')
  await service.sql(`update sign_in_bucket set full_at = now() + step * capacity where scope = 'network'`)
  const refused = await client.signIn(other.email, other.password)
  expect(problemOf(refused)).toEqual(wait)
  expect(refused.body).toMatchObject({ scope: 'network' })
  expect((await client.signIn(person.email, person.password, { device_token: device })).status).toBe(200)
})

test('behind an untrusted proxy, no network is charged or known, and one warning is logged', async () => {
  const token = 'a-token-of-the-monitoring'
  const hidden = await serviceForTest({ env: { MUSTER_METRICS_TOKEN: token, MUSTER_SIGN_INS_PER_MINUTE: '2' } })
  const person = await hidden.person()
  const client = newClient(hidden, '192.0.2.9')
  for (let n = 0; n < 4; n += 1) expect((await client.signIn(`made-up-${n}@example.com`, 'x')).status).toBe(401)
  await client.openSession(person)
  expect(await hidden.sql(`select from sign_in_bucket where scope <> 'account'`)).toEqual([])
  expect(await hidden.sql(`select from session where network is not null`)).toEqual([])
  const logged = (await hidden.logged()).split('\n').filter((line) => line.includes('MUSTER_TRUSTED_PROXIES'))
  expect(logged).toHaveLength(1)
  expect((await hidden.get('/metrics', { token })).text).toMatch(/^muster_forwarded_untrusted_total 5$/m)
})

test('an invalid forwarded address neither fails a write nor joins clients in one network', async () => {
  const person = await service.person()
  const junk = newClient(service, 'x'.repeat(150))
  await junk.openSession(person)
  const made = await junk.send('POST', '/api/v1/orgs', { token: person.token, body: { name: 'Junk' } })
  expect(made.status, made.text).toBeLessThan(500)
  const [row] = await service.sql<{ address: string; network: string }>(
    `select address, network from session where account_id = $1 and network is not null`,
    [person.id],
  )
  expect(row).toEqual({ address: '127.0.0.1', network: '127.0.0.1' })
})

test('a known device has ten attempts a minute in any network, then gets 429 rate_limited', async () => {
  const few = await startIssuer({ env: { MUSTER_SIGN_INS_PER_MINUTE: '1' } })
  const person = await few.person()
  const client = newClient(few)
  const { device } = await client.openSession(person)
  expect(problemOf(await client.signIn(person.email, 'wrong'))).toEqual({ status: 429, code: 'rate_limited' })
  const statuses: number[] = []
  for (let n = 0; n < 11; n += 1)
    statuses.push((await client.signIn(person.email, person.password, { device_token: device })).status)
  await few.stop()
  expect(statuses).toEqual([...Array(10).fill(200), 429])
})
