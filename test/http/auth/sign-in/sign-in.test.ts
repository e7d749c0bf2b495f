import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import { type Answer, type Service, testInProcess } from '../../../support/service.ts'
import { newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const refused = { status: 401, code: 'sign_in_refused' }

/** The parts of a response that an attacker can compare. */
function visible({ status, headers, body }: Answer) {
  const { instance, ...rest } = body as Record<string, unknown>
  const names = Object.keys(headers).filter((name) => name !== 'date')
  return { status, rest, names, challenge: headers['www-authenticate'], length: headers['content-length'] }
}

describe('POST /auth/sign-in', () => {
  test('returns tokens of a session, and the first sign-in is the first login', async () => {
    const person = await newcomer()
    const answer = await newClient(service).signIn(person.email, person.password)
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 900 } })
    expect(answer.headers['cache-control']).toBe('no-store')
    const { access, refresh } = tokensOf(answer)
    expect(refresh).toMatch(/^mrt_[A-Za-z0-9_-]{43}$/)
    const me = await service.get('/api/v1/user/data', { token: access })
    expect(me).toMatchObject({ status: 200, body: { isFirstLogin: true } })
  })

  testInProcess('is the first login even after a session that an operator opened', async () => {
    const person = await newcomer()
    const operator = (await service.parts.issuer?.tokenFor(person.id))?.access_token ?? ''
    expect((await service.get('/api/v1/user/data', { token: operator })).body).toMatchObject({ isFirstLogin: false })
    const { access } = await newClient(service).openSession(person)
    expect((await service.get('/api/v1/user/data', { token: access })).body).toMatchObject({ isFirstLogin: true })
  })

  testInProcess('is not replaced by an operator’s session for a disabled account', async () => {
    const person = await newcomer()
    await service.sql('update account set disabled_at = now() where id = $1', [person.id])
    await expect(service.parts.issuer?.tokenFor(person.id)).rejects.toMatchObject({ code: 'account_disabled' })
    expect(await service.sql('select from session where account_id = $1', [person.id])).toEqual([])
  })

  test('matches the email in any case and the password exactly', async () => {
    const person = await newcomer()
    expect((await newClient(service).signIn(person.email.toUpperCase(), person.password)).status).toBe(200)
    expect(problemOf(await newClient(service).signIn(person.email, person.password.toUpperCase()))).toEqual(refused)
  })

  test('compares the whole password: beyond byte 72, and after a NUL', async () => {
    for (const [password, wrong] of [
      [`${'a'.repeat(72)}b`, `${'a'.repeat(72)}c`],
      ['before\u0000after', 'before\u0000AFTER'],
      ['x'.repeat(1_024), 'x'.repeat(1_023)],
    ] as const) {
      const person = await newcomer(password)
      expect(problemOf(await newClient(service).signIn(person.email, wrong))).toEqual(refused)
      expect((await newClient(service).signIn(person.email, password)).status).toBe(200)
    }
  })

  test('matches the password in any Unicode normal form', async () => {
    const person = await newcomer('caf\u00e9 au lait')
    expect((await newClient(service).signIn(person.email, 'cafe\u0301 au lait')).status).toBe(200)
  })

  test('accepts a password that an earlier release hashed in NFKC, and hashes it again in NFC', async () => {
    const person = await newcomer('the ﬁrst m² of land')
    const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
    const earlier = await hash('the first m2 of land', cost)
    await service.sql(`update credential set password = $2 where account_id = $1`, [person.id, earlier])
    expect(problemOf(await newClient(service).signIn(person.email, 'the ﬁrst m³ of land'))).toEqual(refused)
    await newClient(service).openSession(person)
    expect(await storedHash(person.id)).not.toBe(earlier)
    expect(problemOf(await newClient(service).signIn(person.email, 'the first m2 of land'))).toEqual(refused)
    await newClient(service).openSession(person)
  })

  test('replaces a hash of lower cost, but not after a wrong password', async () => {
    const person = await newcomer()
    const weak = await hash(person.password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
    await service.sql(`update credential set password = $2 where account_id = $1`, [person.id, weak])
    await newClient(service).signIn(person.email, 'wrong')
    expect(await storedHash(person.id)).toBe(weak)
    await newClient(service).openSession(person)
    expect(await storedHash(person.id)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    await newClient(service).openSession(person)
  })
})

describe('401', () => {
  test('sign_in_refused is identical for an unknown email, a wrong password and a disabled account', async () => {
    const person = await newcomer()
    const disabled = await newcomer()
    await service.sql(`update account set disabled_at = now() where id = $1`, [disabled.id])
    const answers = [
      await newClient(service).signIn(person.email, 'wrong'),
      await newClient(service).signIn('nobody@example.com', person.password),
      await newClient(service).signIn(disabled.email, disabled.password),
    ]
    for (const answer of answers) {
      expect(problemOf(answer)).toEqual(refused)
      expect(visible(answer)).toEqual(visible(answers[0] ?? answer))
    }
  })

  test('sign_in_refused for an unreadable stored hash, which is logged', async () => {
    for (const stored of ['$argon2id$broken', '$unheard-of$v=1$abcdefghijklmnopqrstuv', 'plain']) {
      const person = await newcomer()
      await service.sql(`update credential set password = $2 where account_id = $1`, [person.id, stored])
      expect(problemOf(await newClient(service).signIn(person.email, person.password))).toEqual(refused)
      const logged = await service.logged()
      expect(logged).toContain(person.id)
      expect(logged).not.toContain(stored)
    }
  })

  test('sign_in_refused for a wrong password, which is not logged as an error', async () => {
    const person = await newcomer()
    expect(problemOf(await newClient(service).signIn(person.email, 'wrong'))).toEqual(refused)
    await newClient(service).openSession(person)
    const lines = (await service.logged()).split('\n').filter((line) => line.includes(person.id))
    expect(lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  })

  test('sign_in_refused is audited with the account if there is one, and without input', async () => {
    const person = await newcomer()
    const client = newClient(service)
    await client.signIn(person.email, 'not the password')
    await client.signIn('somebody-else@example.com', 'not the password')
    const noted = await service.sql<{ target_id: string | null; all: string }>(
      `select target_id, to_json(e)::text as all from audit_event e
       where action = 'session.refused' and address = $1 order by at`,
      [client.address],
    )
    expect(noted.map(({ target_id }) => target_id)).toEqual([person.id, null])
    expect(JSON.stringify(noted)).not.toMatch(/not the password|somebody-else/)
  })
})

describe('400', () => {
  test('input_invalid for a password above 1,024 characters, before it is hashed', async () => {
    const answer = await newClient(service).signIn('ada@example.com', 'x'.repeat(1_025))
    expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
    expect(answer.body).toMatchObject({ errors: [{ pointer: '/password' }] })
  })

  test('input_invalid for emails with look-alike characters', async () => {
    for (const email of ['ada＠example.com', 'ⓐda@example.com', '\u212aate@example.com', 'ada@example.com.', 'ada']) {
      const answer = await newClient(service).signIn(email, 'correct horse')
      expect(problemOf(answer), email).toEqual({ status: 400, code: 'input_invalid' })
    }
  })
})

describe('429', () => {
  test('rate_limited above the limit per address and minute, over all nodes, with RateLimit headers', async () => {
    const first = await startIssuer({ env: { MUSTER_SIGN_INS_PER_MINUTE: '3' } })
    const second = await startIssuer({ env: { MUSTER_SIGN_INS_PER_MINUTE: '3' }, on: first.fresh })
    const here = newClient(first)
    const there = newClient(second, here.address)
    const answers = [
      await here.signIn('a@example.com', 'x'),
      await there.signIn('b@example.com', 'x'),
      await here.signIn('c@example.com', 'x'),
      await there.signIn('d@example.com', 'x'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429])
    const last = answers.at(-1)
    expect(last?.headers['ratelimit-policy']).toBe('"sign-ins";q=3;w=60')
    expect(last?.headers.ratelimit).toMatch(/^"sign-ins";r=0;t=\d+$/)
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await newClient(first).signIn('a@example.com', 'x')).status).toBe(401)
    await second.stop()
    await first.stop()
  })
})

/** As before the first sign-in: an account without a session. */
async function newcomer(password = 'correct horse') {
  const person = await service.person({ password })
  await service.sql('delete from session where account_id = $1', [person.id])
  await service.sql('update account set first_session = null where id = $1', [person.id])
  return person
}

async function storedHash(accountId: string): Promise<string | undefined> {
  const [row] = await service.sql<{ password: string }>(`select password from credential where account_id = $1`, [
    accountId,
  ])
  return row?.password
}
