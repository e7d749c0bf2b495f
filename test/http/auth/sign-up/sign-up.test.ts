import { describe, expect, onTestFinished, test } from 'vitest'
import { invitationFor } from '../../../support/operator.ts'
import { problemOf } from '../../../support/problem.ts'
import { type Service, testInProcess } from '../../../support/service.ts'
import { newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

async function serviceWith(signUp?: 'open' | 'invitation' | 'closed'): Promise<Service> {
  const service = await startIssuer(signUp ? { env: { MUSTER_SIGN_UP: signUp } } : {})
  onTestFinished(() => service.stop())
  return service
}

const refused = { status: 403, code: 'sign_up_refused' }
const good = 'seventeen small turtles'

const signUp = (service: Service, email: string, more: Record<string, string> = {}) =>
  newClient(service).post('/auth/sign-up', { email, password: good, ...more })

/** The body of a response without its request id. */
function said(answer: { status: number; body: unknown }): unknown {
  return JSON.parse(JSON.stringify(answer.body, (name, value) => (name === 'instance' ? undefined : value)))
}

describe('POST /auth/sign-up, closed by default', () => {
  test('returns the same 403 sign_up_refused for a taken and a free email, with and without an invitation', async () => {
    const service = await serviceWith()
    const person = await service.person()
    const answers = [
      await signUp(service, person.email),
      await signUp(service, 'free@example.com'),
      await signUp(service, 'free@example.com', { invitation: await invitationFor(service, 'free@example.com') }),
    ]
    for (const answer of answers) {
      expect(problemOf(answer)).toEqual(refused)
      expect(said(answer)).toEqual(said(answers[0] ?? answer))
    }
  })
})

describe('POST /auth/sign-up by invitation', () => {
  test('creates an account with the invitation’s role and a first session', async () => {
    const service = await serviceWith('invitation')
    const invitation = await invitationFor(service, 'Ada@Example.com', { roleId: 'admin' })
    const answer = await signUp(service, 'ada@example.com', { invitation })
    expect(answer.status).toBe(201)
    const { access, refresh } = tokensOf(answer)
    expect(refresh).toMatch(/^mrt_/)
    expect((await service.get('/api/v1/user/data', { token: access })).body).toMatchObject({ isFirstLogin: true })
    expect((await service.get('/api/v1/admin/users/fetch', { token: access })).status).toBe(200)
    const later = await newClient(service).openSession({ email: 'ada@example.com', password: good })
    expect((await service.get('/api/v1/user/data', { token: later.access })).body).toMatchObject({
      isFirstLogin: false,
    })
  })

  testInProcess('accepts exactly one of 20 parallel uses of one invitation', async () => {
    const service = await serviceWith('invitation')
    const invitation = await invitationFor(service, 'ada@example.com')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => signUp(service, 'ada@example.com', { invitation })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) expect(problemOf(answer)).toEqual(refused)
  })

  test('returns the same 403 sign_up_refused without an invitation, for an unknown, foreign, used, expired or revoked one, and for a taken email', async () => {
    const service = await serviceWith('invitation')
    const person = await service.person()
    const used = await invitationFor(service, 'used@example.com')
    await signUp(service, 'used@example.com', { invitation: used })
    await service.sql(`delete from account where email = 'used@example.com'`)
    const old = await invitationFor(service, 'old@example.com')
    await service.sql(`update sign_up_invitation set expires_at = now() where email = 'old@example.com'`)
    const replaced = await invitationFor(service, 'twice@example.com')
    await invitationFor(service, 'twice@example.com')
    const late = await invitationFor(service, 'late@example.com')
    await service.person({ email: 'late@example.com' })
    const another = await invitationFor(service, 'other@example.com')
    const answers = [
      await signUp(service, 'free@example.com'),
      await signUp(service, person.email),
      await signUp(service, 'free@example.com', { invitation: 'mit_unknown' }),
      await signUp(service, person.email, { invitation: another }),
      await signUp(service, 'free@example.com', { invitation: another }),
      await signUp(service, 'used@example.com', { invitation: used }),
      await signUp(service, 'old@example.com', { invitation: old }),
      await signUp(service, 'twice@example.com', { invitation: replaced }),
      await signUp(service, 'late@example.com', { invitation: late }),
    ]
    for (const answer of answers) {
      expect(problemOf(answer)).toEqual(refused)
      expect(said(answer)).toEqual(said(answers[0] ?? answer))
    }
    expect((await signUp(service, 'other@example.com', { invitation: another })).status).toBe(201)
  })

  test('stores invitations as hashes, and creates none for an email with an account', async () => {
    const service = await serviceWith('invitation')
    const person = await service.person()
    await expect(invitationFor(service, person.email)).rejects.toThrow('taken')
    const invitation = await invitationFor(service, 'ada@example.com')
    const [found] = await service.sql<{ all: string }>(`select to_json(i)::text as all from sign_up_invitation i`)
    expect(found?.all).not.toContain(Buffer.from(invitation).toString('hex'))
  })
})

describe('POST /auth/sign-up, open', () => {
  test('accepts any email, with the role user', async () => {
    const service = await serviceWith('open')
    const { access } = tokensOf(await signUp(service, 'ada@example.com'))
    const answer = await service.get('/api/v1/admin/users/fetch', { token: access })
    expect(problemOf(answer)).toEqual({ status: 403, code: 'permission_missing' })
  })

  test('returns 403 sign_up_refused for a taken email in any case, and keeps its password', async () => {
    const service = await serviceWith('open')
    const person = await service.person({ email: 'ada@example.com' })
    expect(problemOf(await signUp(service, 'ADA@example.com'))).toEqual(refused)
    await newClient(service).openSession(person)
  })

  testInProcess('accepts exactly one of 20 parallel sign-ups of one email', async () => {
    const service = await serviceWith('open')
    const answers = await Promise.all(Array.from({ length: 20 }, () => signUp(service, 'ada@example.com')))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await service.sql(`select 1 from account`)).toHaveLength(1)
  })

  test('returns 400 input_invalid for a password that is too short, too common, or the email itself', async () => {
    const service = await serviceWith('open')
    for (const password of ['short', 'password', 'PASSWORD', 'iloveyou', 'adalovelace', 'adalovelace@example.com']) {
      const answer = await signUp(service, 'adalovelace@example.com', { password })
      expect(problemOf(answer), password).toEqual({ status: 400, code: 'input_invalid' })
      expect(answer.body).toMatchObject({ errors: [{ pointer: '/password' }] })
      expect(answer.text).not.toContain(password === 'password' ? '"password"' : password)
    }
  })

  test('accepts any kind of characters, and 64 of them', async () => {
    const service = await serviceWith('open')
    for (const [n, password] of [
      'qzjxwvkpmzqxrtw',
      'пароль из пяти слов',
      'a b c d e f g h',
      '😀🐢🐎🔋📎'.repeat(3),
    ].entries())
      expect((await signUp(service, `person${n}@example.com`, { password })).status).toBe(201)
  })
})
