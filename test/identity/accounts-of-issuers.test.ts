import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newKey, startIssuer, type TestIssuer } from '../support/issuer.ts'
import { problemOf } from '../support/problem.ts'
import { type Answer, type Service, serviceForTest, startService, testInProcess } from '../support/service.ts'

let trusted: TestIssuer
let alsoTrusted: TestIssuer
let other: TestIssuer
let closed: TestIssuer
let joining: TestIssuer
let service: Service

beforeAll(async () => {
  trusted = await startIssuer()
  alsoTrusted = await startIssuer()
  other = await startIssuer()
  closed = await startIssuer()
  joining = await startIssuer()
  service = await startService({ env: { MUSTER_ISSUERS: registry() } })
})
afterAll(async () => {
  await service.stop()
  for (const issuer of [trusted, alsoTrusted, other, closed, joining]) await issuer.stop()
})

function registry(): string {
  const claims = { session: 'sid' }
  const rules = { algorithms: ['ES256'], audience: 'muster-api', claims }
  return JSON.stringify([
    { issuer: trusted.name, ...rules, trustsEmail: true },
    { issuer: alsoTrusted.name, ...rules, trustsEmail: true },
    { issuer: other.name, ...rules },
    { issuer: closed.name, ...rules, provisions: false },
    { issuer: joining.name, ...rules, trustsEmail: true, joinSubjects: true },
  ])
}

let people = 0
function newcomer(): { sub: string; email: string } {
  people += 1
  return { sub: `subject-${people}`, email: `person-${people}@example.com` }
}

async function call(issuer: TestIssuer, claims: Record<string, unknown>, to = service): Promise<Answer> {
  const now = to.clock.now()
  return to.get('/api/v1/user/data', { token: await issuer.mint(claims, { now }) })
}

async function accountOf(issuer: TestIssuer, sub: string): Promise<string | undefined> {
  const rows = await service.sql<{ account_id: string }>(
    'select account_id from identity where issuer = $1 and subject = $2',
    [issuer.name, sub],
  )
  return rows[0]?.account_id
}

describe('accounts of their own', () => {
  test('50 calls at once of one new subject make one account, and all are answered alike', async () => {
    const { sub, email } = newcomer()
    const answers = await Promise.all(Array.from({ length: 50 }, () => call(other, { sub, email, sid: 's1' })))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 200, body: { isFirstLogin: true } })
    const [rows] = await service.sql<{ accounts: number }>(
      'select count(*)::int as accounts from account where email = $1',
      [email],
    )
    expect(rows?.accounts).toBe(1)
  })

  test('two issuers with the same subject and the same address are two people', async () => {
    const { sub, email } = newcomer()
    await call(other, { sub, email, email_verified: true })
    await call(trusted, { sub, email, email_verified: true })
    expect(await accountOf(other, sub)).not.toBe(await accountOf(trusted, sub))
  })

  test('two issuers with the same subject have a quota each', async () => {
    const alone = await serviceForTest({ env: { MUSTER_ISSUERS: registry(), MUSTER_READS_PER_MINUTE: '1' } })
    const { sub } = newcomer()
    expect((await call(other, { sub }, alone)).status).toBe(200)
    expect((await call(trusted, { sub }, alone)).status).toBe(200)
    expect((await call(other, { sub }, alone)).status).toBe(429)
  })

  test('403 account_unknown: an issuer whose people get no account by themselves', async () => {
    expect(await call(closed, newcomer())).toMatchObject({ status: 403, body: { code: 'account_unknown' } })
  })

  test('an address that is no address is not kept', async () => {
    const { sub } = newcomer()
    await call(other, { sub, email: '"><script>@x' })
    const rows = await service.sql<{ email: string | null }>('select email from account where id = $1', [
      await accountOf(other, sub),
    ])
    expect(rows).toEqual([{ email: null }])
  })
})

describe('linking by address', () => {
  test('two trusted issuers that call the same address verified are one account, and it is noted', async () => {
    const { sub, email } = newcomer()
    await call(trusted, { sub, email, email_verified: true })
    await call(alsoTrusted, { sub: 'elsewhere', email: email.toUpperCase(), email_verified: true })
    const account = await accountOf(trusted, sub)
    expect(await accountOf(alsoTrusted, 'elsewhere')).toBe(account)
    const events = await service.sql<object>(
      `select target_id, details from audit_event where action = 'account.linked' and target_id = $1`,
      [account],
    )
    expect(events).toEqual([{ target_id: account, details: { issuer: alsoTrusted.name } }])
  })

  const unproven: Readonly<Record<string, unknown>> = {
    'not said': undefined,
    false: false,
    'the text "true"': 'true',
    'the number 1': 1,
    'a list': [true],
  }
  test.each(Object.entries(unproven))('never where email_verified is %s', async (_what, email_verified) => {
    const { sub, email } = newcomer()
    await call(trusted, { sub, email, email_verified: true })
    const elsewhere = `elsewhere-${sub}`
    await call(alsoTrusted, { sub: elsewhere, email, email_verified })
    expect(await accountOf(alsoTrusted, elsewhere)).not.toBe(await accountOf(trusted, sub))
  })

  test('never by an issuer that is not trusted for it', async () => {
    const { sub, email } = newcomer()
    await call(trusted, { sub, email, email_verified: true })
    await call(other, { sub, email, email_verified: true })
    expect(await accountOf(other, sub)).not.toBe(await accountOf(trusted, sub))
  })

  test('never to an account whose own address was not proven: a victim’s address registered first gains nothing', async () => {
    const { sub, email } = newcomer()
    await call(trusted, { sub: `attacker-${sub}`, email, email_verified: false })
    await call(alsoTrusted, { sub, email, email_verified: true })
    expect(await accountOf(alsoTrusted, sub)).not.toBe(await accountOf(trusted, `attacker-${sub}`))
  })

  test('never to an account of the built-in issuer, not even one that is marked as proven', async () => {
    const person = await service.person({ role: 'admin' })
    const [row] = await service.sql('select is_email_proved from account where id = $1', [person.id])
    expect(row).toEqual({ is_email_proved: true })
    const { sub } = newcomer()
    const answer = await call(trusted, { sub, email: person.email, email_verified: true })
    expect(await accountOf(trusted, sub)).not.toBe(person.id)
    expect(answer.body).toMatchObject({ permissions: { provider_keys: ['validate'] } })
  })

  test('401 account_disabled: another issuer is no way around a ban', async () => {
    const { sub, email } = newcomer()
    await call(trusted, { sub, email, email_verified: true })
    await service.sql('update account set disabled_at = now() where id = $1', [await accountOf(trusted, sub)])
    const answer = await call(alsoTrusted, { sub: `again-${sub}`, email, email_verified: true })
    expect(answer).toMatchObject({ status: 401, body: { code: 'account_disabled' } })
  })

  test('20 first calls at once of one person at a second issuer link once', async () => {
    const { sub, email } = newcomer()
    await call(trusted, { sub, email, email_verified: true })
    const claims = { sub: `second-${sub}`, email, email_verified: true }
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(alsoTrusted, claims)))
    for (const { status } of answers) expect(status).toBe(200)
    expect(await service.sql('select id from account where email = $1', [email])).toHaveLength(1)
  })
})

describe('two subjects of one issuer', () => {
  interface Owner {
    readonly id: string
    readonly isProved: boolean
    readonly identities: readonly string[]
  }

  /** The accounts that fit, the one that has proved its address first. */
  const accountsWhere = (condition: string, value: string) =>
    service.sql<Owner>(
      `select a.id, a.is_email_proved as "isProved", array_agg(i.subject order by i.subject) as identities
       from account a join identity i on i.account_id = a.id
       where ${condition} group by a.id order by a.is_email_proved desc, a.created_at, a.id`,
      [value],
    )
  const ownersOf = (email: string) => accountsWhere('lower(a.email) = lower($1)', email)
  const eventsOn = async (ids: readonly string[]) =>
    service.sql<object>(
      `select action, target_id as target, actor_id as actor, details from audit_event where target_id = any ($1) order by at`,
      [ids],
    )
  const verified = (sub: string, email: string) => ({ sub, email, email_verified: true })

  test('are two accounts: who is given the address of another user later does not open the account of that user', async () => {
    const { sub: first, email } = newcomer()
    await call(trusted, verified(first, email))
    const { sub: second } = newcomer()
    const answer = await call(trusted, { ...verified(second, email.toUpperCase()), sid: 'one' })
    expect(answer).toMatchObject({ status: 200, body: { isFirstLogin: true } })
    const owners = await ownersOf(email)
    expect(owners).toEqual([
      { id: expect.any(String), isProved: true, identities: [first] },
      { id: expect.any(String), isProved: false, identities: [second] },
    ])
    const [former, current] = owners.map(({ id }) => id)
    expect(await eventsOn([String(former), String(current)])).toEqual([
      {
        action: 'account.email_taken',
        target: current,
        actor: null,
        details: { issuer: trusted.name, accountId: former },
      },
    ])
    // Nothing changes at later calls of either.
    await call(trusted, verified(second, email))
    await call(trusted, verified(first, `new-${email}`))
    expect(await ownersOf(email)).toEqual(owners)
  })

  test('are shown to administrators in the state of the system, until the first account is erased', async () => {
    const alone = await serviceForTest({ env: { MUSTER_ISSUERS: registry() } })
    const admin = await alone.person({ role: 'admin' })
    const advice = async () =>
      Object((await alone.get('/api/v1/admin/system', { token: admin.token })).body).advice.filter(
        ({ code }: { code: string }) => code === 'emails_taken',
      )
    const { sub, email } = newcomer()
    await call(trusted, verified(`${sub}-1`, email), alone)
    expect(await advice()).toEqual([])
    await call(trusted, verified(`${sub}-2`, email), alone)
    expect(await advice()).toEqual([
      {
        code: 'emails_taken',
        level: 'warn',
        detail: 'Users have a verified email that belongs to another user of the same issuer.',
        values: { count: '1' },
        command: 'muster audit --action account.email_taken',
      },
    ])
    await alone.sql('delete from account where lower(email) = $1 and email_proved_at is not null', [email])
    expect(await advice()).toEqual([])
  })

  test('are two accounts where another issuer has joined one of them', async () => {
    const { sub: first, email } = newcomer()
    await call(trusted, verified(first, email))
    await call(alsoTrusted, verified(`also-${first}`, email))
    const { sub: second } = newcomer()
    await call(alsoTrusted, verified(second, email))
    expect((await ownersOf(email)).map(({ identities }) => identities)).toEqual([[`also-${first}`, first], [second]])
  })

  test('are two accounts where the first was imported', async () => {
    const { sub: first, email } = newcomer()
    const [imported] = await service.sql<{ id: string }>('insert into account (email) values ($1) returning id', [
      email,
    ])
    await service.sql('insert into identity values ($1, $2, $3)', [trusted.name, first, imported?.id])
    const { sub: second } = newcomer()
    await call(trusted, verified(second, email))
    // An import proves no address, so the first token that does takes it.
    expect(await ownersOf(email)).toEqual([{ id: expect.any(String), isProved: true, identities: [second] }])
    expect(await accountOf(trusted, first)).toBe(imported?.id)
    await call(trusted, verified(first, email))
    expect(await accountOf(trusted, first)).toBe(imported?.id)
  })

  test('take the address from nobody: the third user leaves it to the second', async () => {
    const { sub, email } = newcomer()
    for (const n of [1, 2, 3]) await call(trusted, verified(`${sub}-${n}`, email))
    const owners = await ownersOf(email)
    expect(owners.map(({ isProved }) => isProved)).toEqual([true, false, false])
    const events = await eventsOn(owners.map(({ id }) => id))
    expect(events).toMatchObject(Array(2).fill({ action: 'account.email_taken' }))
  })

  test('are two accounts while the first is disabled', async () => {
    const { sub: first, email } = newcomer()
    await call(trusted, verified(first, email))
    await service.sql('update account set disabled_at = now() where id = $1', [await accountOf(trusted, first)])
    const { sub: second } = newcomer()
    expect((await call(trusted, verified(second, email))).status).toBe(200)
    expect(await ownersOf(email)).toHaveLength(2)
  })

  test('lets the second prove the address after the account of the first was erased', async () => {
    const { sub: first, email } = newcomer()
    await call(trusted, verified(first, email))
    await service.sql('delete from account where id = $1', [await accountOf(trusted, first)])
    const { sub: second } = newcomer()
    await call(trusted, verified(second, email))
    expect(await ownersOf(email)).toEqual([{ id: expect.any(String), isProved: true, identities: [second] }])
  })

  test.each(['no account', 'an account of another issuer'])(
    'are never joined where 20 users of two issuers arrive at once at two nodes, and there is %s with the address',
    async (there) => {
      const second = await serviceForTest({ env: { MUSTER_ISSUERS: registry() }, on: service.fresh })
      for (let round = 0; round < 8; round += 1) {
        const { sub, email } = newcomer()
        if (there !== 'no account') await call(joining, verified(sub, email))
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, n) => {
            const claims = verified(`${sub}-${n % 4 < 2 ? 'a' : 'b'}-${n}`, email)
            return call(n % 4 < 2 ? trusted : alsoTrusted, claims, n % 2 === 0 ? service : second)
          }),
        )
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
        const [joined, ...apart] = await accountsWhere('starts_with(i.subject, $1)', sub)
        const prefixes = joined?.identities.map((subject) => subject.slice(sub.length, sub.length + 2))
        expect({ prefixes, isProved: joined?.isProved }).toEqual({
          prefixes: there === 'no account' ? ['-a', '-b'] : ['', '-a', '-b'],
          isProved: true,
        })
        expect(apart.map(({ isProved, identities }) => [isProved, identities.length])).toEqual(
          Array(18).fill([false, 1]),
        )
        const events = await service.sql<object>(
          `select details from audit_event where action = 'account.email_taken' and target_id = any ($1)`,
          [apart.map(({ id }) => id)],
        )
        expect(events).toMatchObject(Array(18).fill({ details: { accountId: joined?.id } }))
      }
    },
  )

  test('are one account at an issuer with joinSubjects, also where 20 arrive at once', async () => {
    const { sub, email } = newcomer()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => call(joining, verified(`${sub}-${n}`, email))),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const owners = await ownersOf(email)
    expect(owners.map(({ identities }) => identities.length)).toEqual([20])
    expect(await eventsOn(owners.map(({ id }) => id))).toMatchObject(Array(19).fill({ action: 'account.linked' }))
  })
})

describe('accounts that were removed', () => {
  test('401 account_removed for a token from before; a new token makes a new account with a new id', async () => {
    const { sub, email } = newcomer()
    const claims = { sub, email, iat: Math.floor(service.clock.now() / 1_000) - 100 }
    await call(other, claims)
    const account = await accountOf(other, sub)
    await service.sql('delete from account where id = $1', [account])
    expect(await call(other, claims)).toMatchObject({ status: 401, body: { code: 'account_removed' } })
    expect(await call(other, { ...claims, iat: undefined })).toMatchObject({ status: 401 })
    expect(await accountOf(other, sub)).toBeUndefined()

    const later = Math.floor(Date.now() / 1_000) + 4
    expect((await call(other, { ...claims, iat: later })).status).toBe(200)
    expect(await accountOf(other, sub)).not.toBe(account)
  })

  test('401 account_disabled at the next call, with the same token', async () => {
    const { sub } = newcomer()
    const token = await other.mint({ sub })
    expect((await service.get('/api/v1/user/data', { token })).status).toBe(200)
    await service.sql('update account set disabled_at = now() where id = $1', [await accountOf(other, sub)])
    expect(await service.get('/api/v1/user/data', { token })).toMatchObject({
      status: 401,
      body: { code: 'account_disabled' },
    })
  })
})

describe('accounts made before their first sign-in', () => {
  test('the first session is the first that reads, and stays it; of two at once one is the first', async () => {
    const { sub, email } = newcomer()
    const [row] = await service.sql<{ id: string }>('insert into account (email) values ($1) returning id', [email])
    await service.sql('insert into identity values ($1, $2, $3)', [closed.name, sub, row?.id])
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => call(closed, { sub, sid: n % 2 === 0 ? 'one' : 'two' })),
    )
    const first = (wanted: number) =>
      new Set(answers.filter((_, n) => n % 2 === wanted).map(({ body }) => Object(body).isFirstLogin))
    expect([first(0), first(1)]).toContainEqual(new Set([true]))
    expect([first(0), first(1)]).toContainEqual(new Set([false]))
    expect((await call(closed, { sub, sid: 'three' })).body).toMatchObject({ isFirstLogin: false })
  })

  test('a token without a session stands for the first session until it expires, and a session with a name is a later one', async () => {
    const { sub } = newcomer()
    const [row] = await service.sql<{ id: string }>('insert into account default values returning id')
    await service.sql('insert into identity values ($1, $2, $3)', [closed.name, sub, row?.id])
    expect((await call(closed, { sub })).body).toMatchObject({ isFirstLogin: true })
    expect((await call(closed, { sub, sid: 'one' })).body).toMatchObject({ isFirstLogin: false })
    await service.sql('update account set first_session_until = now() where id = $1', [row?.id])
    expect((await call(closed, { sub })).body).toMatchObject({ isFirstLogin: false })
  })
})

describe('when an issuer cannot be asked for its keys', () => {
  const rulesOf = (issuer: TestIssuer) =>
    JSON.stringify([{ issuer: issuer.name, algorithms: ['ES256'], audience: 'muster-api' }])

  test('503 issuer_unavailable with Retry-After, never 401; and the service starts all the same', async () => {
    const issuer = await startIssuer()
    await issuer.stop()
    const node = await serviceForTest({ env: { MUSTER_ISSUERS: rulesOf(issuer) } })
    const answer = await call(issuer, {}, node)
    expect(answer).toMatchObject({ status: 503, body: { code: 'issuer_unavailable' } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    const issuers = [{ issuer: issuer.name, keys: 'unavailable' }]
    expect(await node.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ok', issuers } })
    expect(await node.parts.monitoring.metrics.registry.metrics()).toContain(
      `muster_issuer_keys{issuer="${issuer.name}",state="unavailable"} 1`,
    )
    const { token } = await node.person()
    expect((await node.get('/api/v1/user/data', { token })).status).toBe(200)
  })

  test('a node that starts while the issuer is down uses the keys of an earlier one, for 24 hours', async () => {
    const issuer = await startIssuer()
    const env = { MUSTER_ISSUERS: rulesOf(issuer) }
    const first = await serviceForTest({ env })
    expect((await call(issuer, {}, first)).status).toBe(200)
    await expect.poll(() => first.sql('select issuer from issuer_key_set')).toHaveLength(1)
    await issuer.stop()
    const second = await serviceForTest({ env, on: first.fresh })
    expect((await call(issuer, {}, second)).status).toBe(200)
    second.clock.advanceSeconds(23 * 3_600)
    expect((await call(issuer, {}, second)).status).toBe(200)
    second.clock.advanceSeconds(3_700)
    expect(await call(issuer, {}, second)).toMatchObject({ status: 503, body: { code: 'issuer_unavailable' } })
  })

  test('kept keys from another address than the configured one are not used', async () => {
    const issuer = await startIssuer()
    const first = await serviceForTest({ env: { MUSTER_ISSUERS: rulesOf(issuer) } })
    await expect.poll(() => first.sql('select issuer from issuer_key_set')).toHaveLength(1)
    await issuer.stop()
    const entry = { issuer: issuer.name, keys: `${issuer.url}/moved`, algorithms: ['ES256'], audience: 'muster-api' }
    const second = await serviceForTest({ env: { MUSTER_ISSUERS: JSON.stringify([entry]) }, on: first.fresh })
    expect((await call(issuer, {}, second)).status).toBe(503)
  })

  test('a rotated key is taken 30 seconds later at the latest; tokens of a withdrawn one end with the renewal', async () => {
    const issuer = await startIssuer()
    const node = await serviceForTest({ env: { MUSTER_ISSUERS: rulesOf(issuer) } })
    const [old] = issuer.keys
    if (!old) throw new Error('no key')
    const kept = await issuer.mint({}, { now: node.clock.now() })
    expect((await node.get('/api/v1/user/data', { token: kept })).status).toBe(200)

    issuer.keys = [await newKey('ES256')]
    node.clock.advanceSeconds(31)
    expect((await call(issuer, {}, node)).status).toBe(200)
    // Verified before the renewal: good for a minute from then at most.
    expect((await node.get('/api/v1/user/data', { token: kept })).status).toBe(200)
    node.clock.advanceSeconds(30)
    expect(await node.get('/api/v1/user/data', { token: kept })).toMatchObject({
      status: 401,
      body: { code: 'token_invalid' },
    })
    await issuer.stop()
  })

  const lies: Readonly<Record<string, (issuer: TestIssuer) => object>> = {
    'of another issuer': ({ url }) => ({ issuer: 'https://evil.example', jwks_uri: `${url}/jwks` }),
    'of the issuer with a slash': ({ url, name }) => ({ issuer: `${name}/`, jwks_uri: `${url}/jwks` }),
    'without an issuer': ({ url }) => ({ jwks_uri: `${url}/jwks` }),
    'with keys over http elsewhere': ({ name }) => ({ issuer: name, jwks_uri: 'http://192.0.2.1/jwks' }),
    'with keys in a file': ({ name }) => ({ issuer: name, jwks_uri: 'file:///etc/passwd' }),
    'without keys': ({ name }) => ({ issuer: name }),
  }
  test.each(Object.entries(lies))(
    '503: a discovery document %s brings no keys (ASVS 10.5.3)',
    async (_what, documentOf) => {
      const issuer = await startIssuer()
      issuer.answer = (request, response) => {
        const isDiscovery = request.url?.endsWith('/openid-configuration')
        const keys = { keys: issuer.keys.map(({ publicJwk }) => publicJwk) }
        response.end(JSON.stringify(isDiscovery ? documentOf(issuer) : keys))
      }
      const node = await serviceForTest({ env: { MUSTER_ISSUERS: rulesOf(issuer) } })
      expect((await call(issuer, {}, node)).status).toBe(503)
      expect(issuer.asked.filter((path) => path.endsWith('jwks'))).toEqual([])
      expect(await node.logged()).toMatch(
        /the discovery document (is of another issuer|has no permitted address of keys)/,
      )
      await issuer.stop()
    },
  )
})

testInProcess(
  '429 — accounts that come from one issuer have a limit a minute: those that exist, other issuers and removed subjects cost none',
  async () => {
    const few = await serviceForTest({ env: { MUSTER_ISSUERS: registry(), MUSTER_NEW_ACCOUNTS_PER_MINUTE: '2' } })
    const [first, second, third] = [newcomer(), newcomer(), newcomer()]
    const token = await other.mint(first, { now: few.clock.now() })
    expect((await few.get('/api/v1/user/data', { token })).status).toBe(200)
    await few.sql(`delete from account where email = $1`, [first.email])
    // A token made after the removal would make the account again.
    for (let again = 0; again < 3; again += 1)
      expect(problemOf(await few.get('/api/v1/user/data', { token }))).toEqual({ status: 401, code: 'account_removed' })
    expect((await call(other, second, few)).status).toBe(200)
    const over = await call(other, third, few)
    expect(problemOf(over)).toEqual({ status: 429, code: 'rate_limited' })
    expect(over.headers).toMatchObject({ 'ratelimit-policy': '"new-accounts";q=2;w=60' })
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
    expect(await few.sql('select from identity where subject = $1', [third.sub])).toEqual([])
    expect((await call(other, second, few)).status).toBe(200)
    expect((await call(trusted, third, few)).status).toBe(200)
    few.clock.advanceSeconds(61)
    expect((await call(other, third, few)).status).toBe(200)
  },
)
