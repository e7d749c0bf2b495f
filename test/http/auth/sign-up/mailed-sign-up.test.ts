import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type MailServer,
  type MailWork,
  mailSettings,
  mailWorkOf,
  passMailTime,
  startMailServer,
  tokenIn,
} from '../../../support/mail-server.ts'
import { invitationFor, muster } from '../../../support/operator.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Service } from '../../../support/service.ts'
import { newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

let server: MailServer
let service: Service
let work: MailWork

beforeAll(async () => {
  server = await startMailServer()
  service = await startIssuer({ env: { ...mailSettings(server), MUSTER_SIGN_UP: 'open' } })
  work = await mailWorkOf(service)
})
afterAll(async () => {
  work.close()
  await service.stop()
  await server.stop()
})

const password = 'seventeen small turtles'
const invalid = { status: 400, code: 'link_invalid' }
let addresses = 0
const newAddress = () => `grace${++addresses}@new.example`

const signUp = (email: unknown, more: object = {}, client = newClient(service)) =>
  client.post('/auth/sign-up', { email, ...more })
const confirm = (token: string, more: object = { password }) =>
  newClient(service).post('/auth/sign-up/confirm', { token, ...more })

async function mailsTo(email: string) {
  await work.run()
  return server.received.filter(({ to }) => to.includes(email))
}

async function linkTo(email: string): Promise<string> {
  expect((await signUp(email)).status).toBe(202)
  const token = (await mailsTo(email)).map(tokenIn).at(-1)
  if (!token) throw new Error(`no link was mailed to ${email}`)
  return token
}

const accountsOf = (email: string) =>
  service.sql(`select id, role_id, email_proved_by from account where lower(email) = $1`, [email])

test('creates the account only when the owner of the mailbox chooses a password, with a verified email', async () => {
  const email = newAddress()
  const token = await linkTo(email)
  expect(await accountsOf(email)).toEqual([])
  const [mail] = await mailsTo(email)
  expect(mail?.mail.subject).toBe('Finish your sign-up to muster.test')
  expect((await newClient(service).post('/auth/links/inspect', { token })).body).toEqual({
    ...{ purpose: 'sign_up', email },
    ...{ needsFactor: false, factors: [] },
  })
  const answer = await confirm(token)
  expect(answer.status, answer.text).toBe(201)
  const { access } = tokensOf(answer)
  expect((await service.get('/api/v1/user/data', { token: access })).body).toMatchObject({ isFirstLogin: true })
  expect(await accountsOf(email)).toMatchObject([{ role_id: 'user', email_proved_by: 'link' }])
  tokensOf(await newClient(service).signIn(email, password))
  expect(problemOf(await confirm(token))).toEqual(invalid)
})

test('returns the same 202 {} and writes the same for a free, taken, unverified, disabled or reserved email', async () => {
  const [taken, unproved, disabled] = [await service.person(), await service.person(), await service.person()]
  await service.sql('update account set email_proved_at = null, email_proved_by = null where id = $1', [unproved.id])
  await service.sql('update account set disabled_at = now() where id = $1', [disabled.id])
  const [free, reserved] = [newAddress(), newAddress()]
  await invitationFor(service, reserved)
  for (const email of [free, taken.email, unproved.email, disabled.email, reserved]) {
    const answer = await signUp(email)
    expect([answer.status, answer.body]).toEqual([202, {}])
  }
  const waiting = await service.sql(
    `select purpose, account_id, address_hash from mail_request where email is not null`,
  )
  expect(waiting).toEqual([1, 2, 3, 4, 5].map(() => ({ purpose: 'sign_up', account_id: null, address_hash: null })))
  expect((await mailsTo(free)).map(tokenIn)).toEqual([expect.stringMatching(/^mlk_/)])
  for (const { email } of [taken, unproved, disabled])
    expect((await mailsTo(email)).map(({ mail }) => mail.subject)).toEqual([
      `${email} already has an account at muster.test`,
    ])
  expect(await mailsTo(reserved)).toEqual([])
  expect(await service.sql('select from mail_request where email is not null')).toEqual([])
  for (const { email, ...person } of [taken, unproved]) await newClient(service).openSession({ email, ...person })
})

describe('a sign-up link', () => {
  test('creates one account for concurrent uses', async () => {
    for (let n = 0; n < 5; n += 1) {
      const email = newAddress()
      const token = await linkTo(email)
      const answers = await Promise.all([confirm(token), confirm(token)])
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
      expect(await accountsOf(email)).toHaveLength(1)
    }
  })

  test('takes the email from an account that has it unverified', async () => {
    const email = newAddress()
    const token = await linkTo(email)
    const squatter = await service.person({ email })
    await service.sql('update account set email_proved_at = null, email_proved_by = null where id = $1', [squatter.id])
    expect((await confirm(token)).status).toBe(201)
    expect(await accountsOf(email)).toHaveLength(1)
    expect((await newClient(service).signIn(email, squatter.password)).status).toBe(401)
    expect(problemOf(await service.get('/api/v1/user/data', { token: squatter.token })).code).toBe('session_ended')
  })

  test('returns 400 link_invalid after two hours, after another link to the email was used, and for an email verified in the meantime', async () => {
    const old = newAddress()
    const late = await linkTo(old)
    await service.sql('update sign_up_link set expires_at = now() where email = $1', [old])
    expect(problemOf(await confirm(late))).toEqual(invalid)
    const email = newAddress()
    const [first, second] = [await linkTo(email), await linkTo(email)]
    expect((await confirm(second)).status).toBe(201)
    expect(problemOf(await confirm(first))).toEqual(invalid)
    const taken = newAddress()
    const third = await linkTo(taken)
    await service.person({ email: taken })
    expect(problemOf(await confirm(third))).toEqual(invalid)
    expect(await accountsOf(taken)).toHaveLength(1)
  })

  test('stays valid after an unacceptable password', async () => {
    const token = await linkTo(newAddress())
    const refused = await confirm(token, { password: 'password1' })
    expect(refused.body).toMatchObject({ code: 'input_invalid', errors: [{ pointer: '/password' }] })
    expect((await confirm(token)).status).toBe(201)
  })

  test('returns 403 sign_up_refused if sign-up was closed in the meantime', async () => {
    const closed = await startIssuer({ env: mailSettings(server) })
    onTestFinished(() => closed.stop())
    const answer = await newClient(closed).post('/auth/sign-up/confirm', { token: 'mlk_any', password })
    expect(problemOf(answer)).toEqual({ status: 403, code: 'sign_up_refused' })
  })
})

test('sends at most three mails an hour to one email, and handles ten requests of one network', async () => {
  const email = newAddress()
  for (let n = 0; n < 5; n += 1) expect((await signUp(email)).status).toBe(202)
  expect(await mailsTo(email)).toHaveLength(3)
  await passMailTime(service, 3_601)
  expect((await signUp(email)).status).toBe(202)
  expect(await mailsTo(email)).toHaveLength(4)
  const client = newClient(service)
  const many = Array.from({ length: 11 }, newAddress)
  for (const one of many) expect((await signUp(one, {}, client)).status).toBe(202)
  await work.run()
  expect(many.filter((one) => server.received.some(({ to }) => to.includes(one)))).toEqual(many.slice(0, 10))
})

test('an invitation works as without mail, together with a password', async () => {
  const email = newAddress()
  const token = await invitationFor(service, email, { provesEmail: true })
  expect(problemOf(await signUp(email, { invitation: token })).code).toBe('input_invalid')
  expect((await signUp(email, { invitation: token, password })).status).toBe(201)
})

test('a mailed invitation opens the link page and verifies the email', async () => {
  const email = newAddress()
  await muster(service, `users invite --email ${email} --mail`)
  const [received] = await mailsTo(email)
  expect(received?.mail.subject).toBe('You are invited to muster.test')
  const [, invitation = ''] = /#token=(mit_[\w-]+)&purpose=invitation/.exec(received?.mail.text ?? '') ?? []
  const inspected = await newClient(service).post('/auth/links/inspect', { token: invitation })
  expect(inspected.body).toMatchObject({ purpose: 'invitation', email })
  expect((await signUp(email, { invitation, password })).status).toBe(201)
  expect(await accountsOf(email)).toMatchObject([{ email_proved_by: 'invitation' }])
  expect(problemOf(await newClient(service).post('/auth/links/inspect', { token: invitation }))).toEqual(invalid)
})

test.each([
  ['a password, which the mailed link asks for', { email: 'a@b.example', password }],
  ['no address', {}],
  ['a list', { email: ['a@b.example'] }],
  ['two addresses', { email: 'a@b.example, c@d.example' }],
  ['a line break', { email: 'a@b.example\r\nBcc: c@d.example' }],
  ['255 characters', { email: `${'a'.repeat(60)}@${`${'b'.repeat(63)}.`.repeat(3)}e${'x'.repeat(2)}` }],
  ['an unknown member', { email: 'a@b.example', redirectTo: 'https://attacker.example' }],
])('POST /auth/sign-up returns 400 input_invalid for %s', async (_, body) => {
  const answer = await newClient(service).post('/auth/sign-up', body)
  expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
})

test.each([
  ['no password', { token: 'mlk_unknown' }],
  ['no token', { password }],
  ['a number', { token: 7, password }],
  ['a long token', { token: 'm'.repeat(257), password }],
  ['an unknown member', { token: 'mlk_unknown', password, email: 'a@b.example' }],
])('POST /auth/sign-up/confirm returns 400 input_invalid for %s', async (_, body) => {
  const answer = await newClient(service).post('/auth/sign-up/confirm', body)
  expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
})
