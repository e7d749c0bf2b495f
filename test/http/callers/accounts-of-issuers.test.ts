import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newKey, startIssuer, type TestIssuer } from '../../support/issuer.ts'
import { problemOf } from '../../support/problem.ts'
import { type Answer, type Service, serviceForTest, startService, testInProcess } from '../../support/service.ts'

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

describe('creating accounts for other issuers', () => {
  test('creates one account for 50 concurrent requests of a new subject', async () => {
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

  test('creates two accounts for the same subject and email at two issuers', async () => {
    const { sub, email } = newcomer()
    await call(other, { sub, email, email_verified: true })
    await call(trusted, { sub, email, email_verified: true })
    expect(await accountOf(other, sub)).not.toBe(await accountOf(trusted, sub))
  })

  test('limits new accounts per issuer', async () => {
    const alone = await serviceForTest({ env: { MUSTER_ISSUERS: registry(), MUSTER_READS_PER_MINUTE: '1' } })
    const { sub } = newcomer()
    expect((await call(other, { sub }, alone)).status).toBe(200)
    expect((await call(trusted, { sub }, alone)).status).toBe(200)
    expect((await call(other, { sub }, alone)).status).toBe(429)
  })

  test('403 account_unknown for an issuer that does not provision accounts', async () => {
    expect(await call(closed, newcomer())).toMatchObject({ status: 403, body: { code: 'account_unknown' } })
  })

  test('does not store a malformed email', async () => {
    const { sub } = newcomer()
    await call(other, { sub, email: '"><script>@x' })
    const rows = await service.sql<{ email: string | null }>('select email from account where id = $1', [
      await accountOf(other, sub),
    ])
    expect(rows).toEqual([{ email: null }])
  })
})

describe('linking by email', () => {
  test('links two trusted issuers with the same verified email to one account, and audits it', async () => {
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
  test.each(Object.entries(unproven))('does not link when email_verified is %s', async (_what, email_verified) => {
    const { sub, email } = newcomer()
    await call(trusted, { sub, email, email_verified: true })
    const elsewhere = `elsewhere-${sub}`
    await call(alsoTrusted, { sub: elsewhere, email, email_verified })
    expect(await accountOf(alsoTrusted, elsewhere)).not.toBe(await accountOf(trusted, sub))
  })

  test('does not link for an issuer whose emails are not trusted', async () => {
    const { sub, email } = newcomer()
    await call(trusted, { sub, email, email_verified: true })
    await call(other, { sub, email, email_verified: true })
    expect(await accountOf(other, sub)).not.toBe(await accountOf(trusted, sub))
  })

  test('does not link to an account with an unverified email, so registering a victim’s email first gains nothing', async () => {
    const { sub, email } = newcomer()
    await call(trusted, { sub: `attacker-${sub}`, email, email_verified: false })
    await call(alsoTrusted, { sub, email, email_verified: true })
    expect(await accountOf(alsoTrusted, sub)).not.toBe(await accountOf(trusted, `attacker-${sub}`))
  })

  test('does not link to an account of the built-in issuer, even with a verified email', async () => {
    const person = await service.person({ role: 'admin' })
    const [row] = await service.sql('select is_email_proved from account where id = $1', [person.id])
    expect(row).toEqual({ is_email_proved: true })
    const { sub } = newcomer()
    const answer = await call(trusted, { sub, email: person.email, email_verified: true })
    expect(await accountOf(trusted, sub)).not.toBe(person.id)
    expect(answer.body).toMatchObject({ permissions: { provider_keys: ['validate'] } })
  })

  test('401 account_disabled for a disabled user who comes from another issuer', async () => {
    const { sub, email } = newcomer()
    await call(trusted, { sub, email, email_verified: true })
    await service.sql('update account set disabled_at = now() where id = $1', [await accountOf(trusted, sub)])
    const answer = await call(alsoTrusted, { sub: `again-${sub}`, email, email_verified: true })
    expect(answer).toMatchObject({ status: 401, body: { code: 'account_disabled' } })
  })

  test('links once for 20 concurrent first requests of a user at a second issuer', async () => {
    const { sub, email } = newcomer()
    await call(trusted, { sub, email, email_verified: true })
    const claims = { sub: `second-${sub}`, email, email_verified: true }
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(alsoTrusted, claims)))
    for (const { status } of answers) expect(status).toBe(200)
    expect(await service.sql('select id from account where email = $1', [email])).toHaveLength(1)
  })
})

describe('two subjects of one issuer with the same email', () => {
  interface Owner {
    readonly id: string
    readonly isProved: boolean
    readonly identities: readonly string[]
  }

  /** Matching accounts, the one with the verified email first. */
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

  test('get two accounts, so a reassigned email does not open the account of its previous user', async () => {
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
    // Later requests of either change nothing.
    await call(trusted, verified(second, email))
    await call(trusted, verified(first, `new-${email}`))
    expect(await ownersOf(email)).toEqual(owners)
  })

  test('are reported in the system state until the first account is deleted', async () => {
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

  test('get two accounts when another issuer is linked to one of them', async () => {
    const { sub: first, email } = newcomer()
    await call(trusted, verified(first, email))
    await call(alsoTrusted, verified(`also-${first}`, email))
    const { sub: second } = newcomer()
    await call(alsoTrusted, verified(second, email))
    expect((await ownersOf(email)).map(({ identities }) => identities)).toEqual([[`also-${first}`, first], [second]])
  })

  test('get two accounts when the first was imported', async () => {
    const { sub: first, email } = newcomer()
    const [imported] = await service.sql<{ id: string }>('insert into account (email) values ($1) returning id', [
      email,
    ])
    await service.sql('insert into identity values ($1, $2, $3)', [trusted.name, first, imported?.id])
    const { sub: second } = newcomer()
    await call(trusted, verified(second, email))
    // An import does not verify emails, so the first token with a verified one takes it.
    expect(await ownersOf(email)).toEqual([{ id: expect.any(String), isProved: true, identities: [second] }])
    expect(await accountOf(trusted, first)).toBe(imported?.id)
    await call(trusted, verified(first, email))
    expect(await accountOf(trusted, first)).toBe(imported?.id)
  })

  test('leave the email with the second subject when a third arrives', async () => {
    const { sub, email } = newcomer()
    for (const n of [1, 2, 3]) await call(trusted, verified(`${sub}-${n}`, email))
    const owners = await ownersOf(email)
    expect(owners.map(({ isProved }) => isProved)).toEqual([true, false, false])
    const events = await eventsOn(owners.map(({ id }) => id))
    expect(events).toMatchObject(Array(2).fill({ action: 'account.email_taken' }))
  })

  test('get two accounts while the first is disabled', async () => {
    const { sub: first, email } = newcomer()
    await call(trusted, verified(first, email))
    await service.sql('update account set disabled_at = now() where id = $1', [await accountOf(trusted, first)])
    const { sub: second } = newcomer()
    expect((await call(trusted, verified(second, email))).status).toBe(200)
    expect(await ownersOf(email)).toHaveLength(2)
  })

  test('let the second verify the email after the account of the first was deleted', async () => {
    const { sub: first, email } = newcomer()
    await call(trusted, verified(first, email))
    await service.sql('delete from account where id = $1', [await accountOf(trusted, first)])
    const { sub: second } = newcomer()
    await call(trusted, verified(second, email))
    expect(await ownersOf(email)).toEqual([{ id: expect.any(String), isProved: true, identities: [second] }])
  })

  test.each(['no account', 'an account of another issuer'])(
    'stay separate when 20 users of two issuers arrive at two nodes at the same time and %s has the email',
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

  test('share one account at an issuer with joinSubjects, also when 20 arrive at the same time', async () => {
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

describe('deleted accounts', () => {
  test('401 account_removed for a token issued before the deletion; a new token creates a new account', async () => {
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

  test('401 account_disabled on the next request with the same token', async () => {
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

describe('accounts created before their first sign-in', () => {
  test('the first session that reads is the first session; of two concurrent ones, one is', async () => {
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

  test('a token without a session stands for the first session until it expires; a named session is a later one', async () => {
    const { sub } = newcomer()
    const [row] = await service.sql<{ id: string }>('insert into account default values returning id')
    await service.sql('insert into identity values ($1, $2, $3)', [closed.name, sub, row?.id])
    expect((await call(closed, { sub })).body).toMatchObject({ isFirstLogin: true })
    expect((await call(closed, { sub, sid: 'one' })).body).toMatchObject({ isFirstLogin: false })
    await service.sql('update account set first_session_until = now() where id = $1', [row?.id])
    expect((await call(closed, { sub })).body).toMatchObject({ isFirstLogin: false })
  })
})

describe('while an issuer is unreachable', () => {
  const rulesOf = (issuer: TestIssuer) =>
    JSON.stringify([{ issuer: issuer.name, algorithms: ['ES256'], audience: 'muster-api' }])

  test('503 issuer_unavailable with Retry-After, never 401, and the service starts', async () => {
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

  test('a node that starts uses stored keys for 24 hours', async () => {
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

  test('ignores stored keys of another URL than the configured one', async () => {
    const issuer = await startIssuer()
    const first = await serviceForTest({ env: { MUSTER_ISSUERS: rulesOf(issuer) } })
    await expect.poll(() => first.sql('select issuer from issuer_key_set')).toHaveLength(1)
    await issuer.stop()
    const entry = { issuer: issuer.name, keys: `${issuer.url}/moved`, algorithms: ['ES256'], audience: 'muster-api' }
    const second = await serviceForTest({ env: { MUSTER_ISSUERS: JSON.stringify([entry]) }, on: first.fresh })
    expect((await call(issuer, {}, second)).status).toBe(503)
  })

  test('accepts a rotated key within 30 seconds; tokens of a withdrawn key end with the renewal', async () => {
    const issuer = await startIssuer()
    const node = await serviceForTest({ env: { MUSTER_ISSUERS: rulesOf(issuer) } })
    const [old] = issuer.keys
    if (!old) throw new Error('no key')
    const kept = await issuer.mint({}, { now: node.clock.now() })
    expect((await node.get('/api/v1/user/data', { token: kept })).status).toBe(200)

    issuer.keys = [await newKey('ES256')]
    node.clock.advanceSeconds(31)
    expect((await call(issuer, {}, node)).status).toBe(200)
    // Verified before the renewal, so cached for up to a minute.
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
    '503: ignores the keys of a discovery document %s (ASVS 10.5.3)',
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
      expect(await node.logged()).toMatch(/the discovery document (names another issuer|has no permitted jwks_uri)/)
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
    // A token issued after the deletion would create the account again.
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
