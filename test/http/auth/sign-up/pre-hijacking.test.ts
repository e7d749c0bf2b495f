import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startIssuer as startOtherIssuer, type TestIssuer } from '../../../support/issuer.ts'
import { invitationFor } from '../../../support/operator.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Service } from '../../../support/service.ts'
import { newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

/**
 * Sudhodanan and Paverd, "Pre-hijacked accounts" (USENIX Security 2022): an attacker creates an account with the email
 * of a victim, who comes later. These are the classes that need no mail.
 */
let service: Service
let trusted: TestIssuer
let untrusted: TestIssuer
const [theirs, own] = ['the attacker chose this', 'the victim chose another']

beforeAll(async () => {
  trusted = await startOtherIssuer()
  untrusted = await startOtherIssuer()
  const rules = { algorithms: ['ES256'], audience: 'muster-api' }
  service = await startIssuer({
    env: {
      MUSTER_SIGN_UP: 'open',
      MUSTER_SIGN_INS_PER_MINUTE: '100000',
      MUSTER_ISSUERS: JSON.stringify([
        { issuer: trusted.name, ...rules, trustsEmail: true },
        { issuer: untrusted.name, ...rules },
      ]),
    },
  })
})
afterAll(async () => {
  await service.stop()
  for (const issuer of [trusted, untrusted]) await issuer.stop()
})

let people = 0
function victim(): string {
  people += 1
  return `victim-${people}@corp.example`
}

/** The attacker signs up with the email, and signs in from a second client. */
async function attack(email: string) {
  const client = newClient(service)
  const first = tokensOf(await client.post('/auth/sign-up', { email, password: theirs }))
  const second = await client.openSession({ email, password: theirs })
  return { accesses: [first.access, second.access], refreshes: [first.refresh, second.refresh] }
}

/**
 * Checks that everything the attacker has is rejected, and that none of their requests reads or changes the victim's
 * account.
 */
async function expectRefused(email: string, { accesses, refreshes }: Awaited<ReturnType<typeof attack>>) {
  for (const token of accesses) expect((await service.get('/api/v1/user/data', { token })).status).toBe(401)
  const client = newClient(service)
  for (const refresh_token of refreshes)
    expect((await client.post('/auth/refresh', { refresh_token })).status).toBe(401)
  expect(problemOf(await newClient(service).signIn(email, theirs))).toEqual({ status: 401, code: 'sign_in_refused' })
}

const tokenOf = (issuer: TestIssuer, sub: string, email: string, more = {}) =>
  issuer.mint({ sub, email, sid: `session of ${sub}`, ...more })

async function dataOf(token: string) {
  return service.get('/api/v1/user/data', { token })
}

async function accountsWith(email: string) {
  return service.sql<{ id: string; proved_by: string | null }>(
    'select id, email_proved_by as proved_by from account where email_key = $1',
    [email],
  )
}

const provingInvitation = (email: string, roleId = 'user') =>
  invitationFor(service, email, { roleId, provesEmail: true })

describe('the attacker signs up with a password, and the victim then', () => {
  test('uses an issuer that verified the email (classic-federated merge): gets a separate account', async () => {
    const email = victim()
    const attacker = await attack(email)
    const [squatted] = await accountsWith(email)
    const token = await tokenOf(trusted, email, email, { email_verified: true })
    expect((await dataOf(token)).status).toBe(200)
    const after = await accountsWith(email)
    expect(after).toEqual([{ id: expect.any(String), proved_by: 'issuer' }])
    expect(after[0]?.id).not.toBe(squatted?.id)
    await expectRefused(email, attacker)
    const events = await service.sql(
      `select target_id from audit_event where action = 'account.displaced' and target_id = $1`,
      [squatted?.id],
    )
    expect(events).toHaveLength(1)
    expect((await dataOf(token)).status).toBe(200)
  })

  test('uses an invitation that the operator hands over (unexpired session)', async () => {
    const email = victim()
    const attacker = await attack(email)
    const invitation = await provingInvitation(email, 'admin')
    const signedUp = await newClient(service).post('/auth/sign-up', { email, password: own, invitation })
    expect(signedUp.status).toBe(201)
    await expectRefused(email, attacker)
    expect(await accountsWith(email)).toEqual([{ id: expect.any(String), proved_by: 'invitation' }])
    const { access } = await newClient(service).openSession({ email, password: own })
    expect((await service.get('/api/v1/admin/users/fetch?limit=1', { token: access })).status).toBe(200)
  })

  test('signs up while the attacker is between two steps of a sign-in: the attacker cannot finish it', async () => {
    const email = victim()
    const { accesses } = await attack(email)
    const [{ id } = { id: '' }] = await accountsWith(email)
    await service.sql(
      `insert into sign_in_challenge (hash, account_id, expires_at) values (sha256($1::bytea), $2, now() + interval '5 minutes')`,
      [Buffer.from(email), id],
    )
    await dataOf(await tokenOf(trusted, email, email, { email_verified: true }))
    for (const table of ['sign_in_challenge', 'device', 'credential'])
      expect([table, await service.sql(`select from ${table} where account_id = $1`, [id])]).toEqual([table, []])
    expect((await dataOf(String(accesses[0]))).status).toBe(401)
  })
})

describe('the attacker has an identity with the email at another issuer', () => {
  const unverified: readonly (readonly [string, object])[] = [
    ['not verified', { email_verified: false }],
    ['not said', {}],
    ['as a text', { email_verified: 'true' }],
  ]
  test.each(unverified)(
    '%s (non-verifying issuer): the victim gets a separate account with the email',
    async (what, more) => {
      const email = victim()
      const theirToken = await tokenOf(trusted, `attacker ${what}`, email, more)
      expect((await dataOf(theirToken)).status).toBe(200)
      await dataOf(await tokenOf(trusted, email, email, { email_verified: true }))
      expect(await accountsWith(email)).toEqual([{ id: expect.any(String), proved_by: 'issuer' }])
      // The attacker's identity keeps its account, which loses the email.
      const [attacker] = await service.sql<{ email: string | null }>(
        'select a.email from identity i join account a on a.id = i.account_id where i.subject = $1',
        [`attacker ${what}`],
      )
      expect(attacker).toEqual({ email: null })
    },
  )

  test('an account created by a token never gets the role of an invitation to its email', async () => {
    const email = victim()
    await provingInvitation(email, 'admin')
    for (const [issuer, more] of [
      [untrusted, { email_verified: true }],
      [trusted, { email_verified: true }],
    ] as const) {
      const token = await tokenOf(issuer, email, email, more)
      await dataOf(token)
      expect(problemOf(await service.get('/api/v1/admin/users/fetch', { token })).code).toBe('permission_missing')
    }
    const roles = await service.sql(
      'select distinct role_id from account a join identity i on i.account_id = a.id where i.subject = $1',
      [email],
    )
    expect(roles).toEqual([{ role_id: 'user' }])
  })
})

describe('an email is reserved for its owner', () => {
  const refusal = (answer: { status: number; body: unknown }) =>
    JSON.stringify(answer.body, (name, value) => (name === 'instance' ? undefined : value))

  test('by an open invitation: without its token, sign-up returns the same 403 as for a taken email', async () => {
    const [email, taken] = [victim(), victim()]
    await service.person({ email: taken })
    const invitation = await invitationFor(service, email)
    const client = newClient(service)
    const refused = await client.post('/auth/sign-up', { email, password: theirs })
    expect(problemOf(refused)).toEqual({ status: 403, code: 'sign_up_refused' })
    expect(refusal(refused)).toBe(refusal(await client.post('/auth/sign-up', { email: taken, password: theirs })))
    const body = { email, password: own, invitation }
    expect((await newClient(service).post('/auth/sign-up', body)).status).toBe(201)
    expect(await accountsWith(email)).toEqual([{ id: expect.any(String), proved_by: null }])

    const later = victim()
    await invitationFor(service, later)
    await service.sql('update sign_up_invitation set expires_at = now() where email = $1', [later])
    expect((await client.post('/auth/sign-up', { email: later, password: theirs })).status).toBe(201)
  })

  test('by verification: nobody can sign up with an email that another account has verified (403)', async () => {
    const email = victim()
    await dataOf(await tokenOf(trusted, email, email, { email_verified: true }))
    const refused = await newClient(service).post('/auth/sign-up', { email: email.toUpperCase(), password: theirs })
    expect(problemOf(refused)).toEqual({ status: 403, code: 'sign_up_refused' })
  })

  test('a verification never displaces an account that has verified the email', async () => {
    const { email, token, password } = await service.person({ email: victim() })
    await dataOf(await tokenOf(trusted, email, email, { email_verified: true }))
    expect((await dataOf(token)).status).toBe(200)
    await newClient(service).openSession({ email, password })
    await expect(provingInvitation(email)).rejects.toThrow('taken')
  })

  test('a changed email loses the verification of the previous one', async () => {
    const { id } = await service.person()
    await service.sql('update account set email = $2 where id = $1', [id, victim()])
    const [row] = await service.sql('select is_email_proved, email_trusted from account where id = $1', [id])
    expect(row).toEqual({ is_email_proved: false, email_trusted: false })
  })
})

test('no sequence of requests without the mailbox verifies an email', async () => {
  const email = victim()
  const steps: Readonly<Record<string, (n: number) => Promise<unknown>>> = {
    'sign up': () => newClient(service).post('/auth/sign-up', { email, password: theirs }),
    'sign up in capitals': () =>
      newClient(service).post('/auth/sign-up', { email: email.toUpperCase(), password: own }),
    'sign in': () => newClient(service).signIn(email, theirs),
    'a token that says nothing': async (n) => dataOf(await tokenOf(trusted, `${email} ${n}`, email)),
    'a token that says false': async (n) =>
      dataOf(await tokenOf(trusted, `${email} ${n}`, email, { email_verified: false })),
    'a token with a text': async (n) =>
      dataOf(await tokenOf(trusted, `${email} ${n}`, email, { email_verified: 'true' })),
    'a token of an issuer that is not trusted': async (n) =>
      dataOf(await tokenOf(untrusted, `${email} ${n}`, email, { email_verified: true })),
    'an invitation that proves nothing': async () => {
      const invitation = await invitationFor(service, email).catch(() => undefined)
      if (!invitation) return
      const body = { email, password: theirs, invitation }
      await newClient(service).post('/auth/sign-up', body)
    },
  }
  let n = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...Object.keys(steps)), { minLength: 1, maxLength: 5 }),
      async (names) => {
        for (const name of names) {
          n += 1
          await steps[name]?.(n)
        }
        expect(
          await service.sql('select from account where email_key = $1 and email_proved_at is not null', [email]),
        ).toEqual([])
        await service.sql('delete from account where email_key = $1', [email])
        await service.sql('delete from sign_up_invitation where email = $1', [email])
      },
    ),
    { numRuns: 10 },
  )
})
