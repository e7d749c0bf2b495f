import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  lastLinkTo,
  type MailServer,
  type MailWork,
  mailSettings,
  mailWorkOf,
  passMailTime,
  startMailServer,
  tokenIn,
} from '../../../support/mail-server.ts'
import { muster } from '../../../support/operator.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Answer, Person, Service } from '../../../support/service.ts'
import { codeAt, enrol, laterCode, newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

let server: MailServer
let service: Service
let work: MailWork

beforeAll(async () => {
  server = await startMailServer()
  service = await startIssuer({ env: mailSettings(server) })
  work = await mailWorkOf(service)
})
afterAll(async () => {
  work.close()
  await service.stop()
  await server.stop()
})

const invalid = { status: 400, code: 'link_invalid' }
let addresses = 0
const newAddress = () => `moved${++addresses}@new.example`

const request = (token: string, newEmail: unknown, more: object = {}) =>
  newClient(service).post('/auth/email', { newEmail, ...more }, token)
const confirm = (token: string) => newClient(service).post('/auth/email/confirm', { token })
const undo = (token: string) => newClient(service).post('/auth/email/undo', { token })
const inspect = (token: string) => newClient(service).post('/auth/links/inspect', { token })

/** The link tokens mailed to an email, the oldest first, and the subjects of its mails. */
async function mailed(email: string): Promise<{ tokens: string[]; subjects: (string | undefined)[] }> {
  await work.run()
  const mails = server.received.filter(({ to }) => to.includes(email))
  return {
    tokens: mails.map(tokenIn).filter((token) => token !== ''),
    subjects: mails.map(({ mail }) => mail.subject?.replace(email, 'ADDRESS')),
  }
}

const lastLink = (email: string) => lastLinkTo(email, server, work)

/** Requests a change. Returns the links to the new and the current email. */
async function asked(person: Person, newEmail: string): Promise<{ toNew: string; toOld: string }> {
  const answer = await request(person.token, newEmail.toUpperCase())
  expect([answer.status, answer.body], answer.text).toEqual([202, {}])
  return { toNew: await lastLink(newEmail), toOld: await lastLink(person.email) }
}

/** An account with a changed email, and the link that undoes the change. */
async function changed(): Promise<{ person: Person; newEmail: string; undoLink: string }> {
  const [person, newEmail] = [await service.person(), newAddress()]
  const { toNew, toOld } = await asked(person, newEmail)
  for (const token of [toNew, toOld]) expect((await confirm(token)).status).toBe(204)
  return { person, newEmail, undoLink: await lastLink(person.email) }
}

const stateOf = async ({ id }: Pick<Person, 'id'>) =>
  (
    await service.sql(
      `select a.email, c.email as signs_in_with, a.email_proved_by as proved_by
       from account a left join credential c on c.account_id = a.id where a.id = $1`,
      [id],
    )
  )[0]

async function loseProof({ id }: Person): Promise<void> {
  await service.sql('update account set email_proved_at = null, email_proved_by = null where id = $1', [id])
}

const usesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()

describe('an email change without a second factor', () => {
  test('needs the links to both emails, in either order, and changes nothing before', async () => {
    for (const isNewFirst of [true, false]) {
      const [person, newEmail] = [await service.person(), newAddress()]
      const { toNew, toOld } = await asked(person, newEmail)
      expect((await inspect(toNew)).body).toEqual({
        ...{ purpose: 'email_change', email: newEmail, awaitsOther: true },
        ...{ needsFactor: false, factors: [] },
      })
      expect((await inspect(toOld)).body).toMatchObject({ purpose: 'email_change_old', email: person.email, newEmail })
      const [first, second] = isNewFirst ? [toNew, toOld] : [toOld, toNew]
      expect((await confirm(first)).status).toBe(204)
      expect(await stateOf(person)).toMatchObject({ email: person.email, signs_in_with: person.email })
      expect(problemOf(await confirm(first))).toEqual(invalid)
      expect((await inspect(second)).body).toMatchObject({ awaitsOther: false })
      expect((await confirm(second)).status).toBe(204)
      expect(await stateOf(person)).toEqual({ email: newEmail, signs_in_with: newEmail, proved_by: 'link' })
      expect(problemOf(await confirm(second))).toEqual(invalid)
    }
  })

  test('lets the user sign in with the new email, keeps sessions open, and mails the old email', async () => {
    const { person, newEmail } = await changed()
    tokensOf(await newClient(service).signIn(newEmail, person.password))
    expect((await newClient(service).signIn(person.email, person.password)).status).toBe(401)
    expect((await service.get('/api/v1/user/data', { token: person.token })).status).toBe(200)
    expect((await mailed(person.email)).subjects).toEqual([
      'Allow an email change for your account at muster.test',
      'The email of your account at muster.test was changed',
    ])
    expect((await mailed(newEmail)).subjects[0]).toBe('Confirm your email for muster.test')
  })
})

test('with a second factor the link to the new email is enough, and a session without the factor cannot request a change', async () => {
  const [person, newEmail] = [await service.person(), newAddress()]
  const { secret } = await enrol(service, person.token, { password: person.password })
  const weak = await service.tokenFor(person.id)
  expect(problemOf(await request(weak, newEmail))).toEqual({ status: 401, code: 'step_up_required' })
  expect((await mailed(newEmail)).tokens).toEqual([])
  laterCode(service)
  const client = newClient(service)
  const { challenge, factors } = (await client.signIn(person.email, person.password)).body as {
    challenge: string
    factors: { id: string }[]
  }
  const code = codeAt(secret, service.clock.now())
  const { access } = tokensOf(
    await client.post('/auth/sign-in/second-step', { challenge, factorId: factors[0]?.id, code }),
  )
  const before = (await mailed(person.email)).tokens.length
  expect((await request(access, newEmail)).status).toBe(202)
  expect((await confirm(await lastLink(newEmail))).status).toBe(204)
  expect(await stateOf(person)).toMatchObject({ email: newEmail, proved_by: 'link' })
  expect((await mailed(person.email)).tokens).toHaveLength(before + 1)
  expect(await service.sql('select from factor where account_id = $1', [person.id])).toHaveLength(1)
})

describe('an unverified email', () => {
  test('is verified by its own link, which ends everything that anyone may have added before', async () => {
    const person = await service.person()
    await loseProof(person)
    await service.sql(`insert into identity values ('https://id.example.com', 'stranger', $1)`, [person.id])
    expect((await request(person.token, person.email)).status).toBe(202)
    expect((await confirm(await lastLink(person.email))).status).toBe(204)
    expect(await stateOf(person)).toEqual({ email: person.email, signs_in_with: person.email, proved_by: 'link' })
    expect(problemOf(await service.get('/api/v1/user/data', { token: person.token })).code).toBe('session_ended')
    expect(await service.sql(`select from identity where account_id = $1`, [person.id])).toHaveLength(1)
    tokensOf(await newClient(service).signIn(person.email, person.password))
  })

  test('gets no mail when the account changes to another email, because it may belong to someone else', async () => {
    const [person, newEmail] = [await service.person(), newAddress()]
    await loseProof(person)
    expect((await request(person.token, newEmail)).status).toBe(202)
    expect((await confirm(await lastLink(newEmail))).status).toBe(204)
    expect(await stateOf(person)).toMatchObject({ email: newEmail, proved_by: 'link' })
    expect((await mailed(person.email)).subjects).toEqual([])
  })

  test('moves to the account that verifies it', async () => {
    const [person, squatter] = [await service.person(), await service.person()]
    await loseProof(squatter)
    // The email is taken when it is requested, so that its owner is notified. Without a password the other account has
    // the email only unverified.
    await service.sql('delete from credential where account_id = $1', [squatter.id])
    const { toNew, toOld } = await asked(person, squatter.email)
    for (const token of [toNew, toOld]) expect((await confirm(token)).status).toBe(204)
    expect(await stateOf(person)).toMatchObject({ email: squatter.email, signs_in_with: squatter.email })
    expect(await stateOf(squatter)).toMatchObject({ email: null })
  })
})

describe('a taken email', () => {
  test('returns the same 202 {}: its owner gets a mail without a link, and the current email gets the usual link', async () => {
    const [person, owner] = [await service.person(), await service.person()]
    const answer = await request(person.token, owner.email)
    expect([answer.status, answer.body]).toEqual([202, {}])
    expect(await mailed(owner.email)).toEqual({
      tokens: [],
      subjects: ['ADDRESS already has an account at muster.test'],
    })
    expect((await confirm(await lastLink(person.email))).status).toBe(204)
    expect(await stateOf(person)).toMatchObject({ email: person.email })
    expect(await stateOf(owner)).toMatchObject({ email: owner.email })
  })

  test('goes to only one of two accounts that confirm it concurrently', async () => {
    const newEmail = newAddress()
    const people = [await service.person(), await service.person()]
    const links: string[] = []
    for (const person of people) {
      const { toNew, toOld } = await asked(person, newEmail)
      expect((await confirm(toOld)).status).toBe(204)
      links.push(toNew)
    }
    expect(usesOf(await Promise.all(links.map(confirm)))).toEqual([204, 400])
    const found = await service.sql('select from account where email = $1', [newEmail])
    expect(found).toHaveLength(1)
  })
})

describe('the links of an email change', () => {
  test('work for one of several concurrent uses, and GET and HEAD of the page do not consume them', async () => {
    const [person, newEmail] = [await service.person(), newAddress()]
    const { toNew, toOld } = await asked(person, newEmail)
    for (const method of ['GET', 'HEAD']) expect((await newClient(service).send(method, '/auth/link')).status).toBe(200)
    expect(usesOf(await Promise.all([toNew, toNew, toNew].map(confirm)))).toEqual([204, 400, 400])
    expect((await confirm(toOld)).status).toBe(204)
  })

  test.each([
    [
      'after two hours',
      ({ id }: Person) => service.sql(`update account_link set expires_at = now() where account_id = $1`, [id]),
    ],
    [
      'after a change of the password',
      async ({ token, password }: Person) => {
        const change = { currentPassword: password, newPassword: 'seventeen small turtles' }
        const answer = await newClient(service).send('PUT', '/auth/password', { token, body: change })
        expect(answer.status, answer.text).toBe(204)
      },
    ],
    ['after another request', async ({ token }: Person) => request(token, newAddress())],
    [
      'of a disabled account',
      ({ id }: Person) => service.sql('update account set disabled_at = now() where id = $1', [id]),
    ],
  ])('are rejected with 400 link_invalid %s', async (_, happens) => {
    const [person, newEmail] = [await service.person(), newAddress()]
    const { toNew, toOld } = await asked(person, newEmail)
    await happens(person)
    for (const token of [toNew, toOld]) {
      expect(problemOf(await confirm(token))).toEqual(invalid)
      expect(problemOf(await inspect(token))).toEqual(invalid)
    }
    expect(await stateOf(person)).toMatchObject({ email: person.email })
  })

  test('are rejected with 400 link_invalid for another purpose, and stay valid for their own', async () => {
    const { newEmail, undoLink } = await changed()
    const [person, second] = [await service.person(), newAddress()]
    const { toNew } = await asked(person, second)
    await newClient(service).post('/auth/recovery', { email: newEmail })
    const recovery = await lastLink(newEmail)
    const client = newClient(service)
    const password = 'seventeen small turtles'
    for (const token of [toNew, undoLink]) {
      expect(problemOf(await client.post('/auth/recovery/complete', { token, newPassword: password }))).toEqual(invalid)
      expect(problemOf(await client.post('/auth/sign-up/confirm', { token, password }))).toMatchObject({ status: 403 })
    }
    for (const token of [undoLink, recovery]) expect(problemOf(await confirm(token))).toEqual(invalid)
    for (const token of [toNew, recovery]) expect(problemOf(await undo(token))).toEqual(invalid)
    for (const token of [toNew, undoLink, recovery]) expect((await inspect(token)).status).toBe(200)
  })

  test('are limited to three requests an hour and ten a day per account', async () => {
    const person = await service.person()
    const isMailed = async () => {
      const address = newAddress()
      expect((await request(person.token, address)).status).toBe(202)
      return (await mailed(address)).tokens.length > 0
    }
    for (const inHour of [3, 3, 3, 1]) {
      for (let n = 1; n <= 4; n += 1) expect(await isMailed()).toBe(n <= inHour)
      await passMailTime(service, 3_601)
    }
    expect(await isMailed()).toBe(false)
  })

  test('are limited to three mails an hour per email', async () => {
    const [person, victim] = [await service.person(), newAddress()]
    for (let n = 0; n < 5; n += 1) expect((await request(person.token, victim)).status).toBe(202)
    expect((await mailed(victim)).tokens).toHaveLength(3)
    const other = await service.person()
    expect((await request(other.token, victim)).status).toBe(202)
    expect((await mailed(victim)).tokens).toHaveLength(3)
    await passMailTime(service, 3_601)
    expect((await request(other.token, victim)).status).toBe(202)
    expect((await mailed(victim)).tokens).toHaveLength(4)
  })
})

describe('the undo link', () => {
  test('restores the email and ends everything that opened the account except recovery', async () => {
    const { person, newEmail, undoLink } = await changed()
    // A thief changes the password next.
    const { access, refresh, device } = await newClient(service).openSession({ ...person, email: newEmail })
    const thiefs = 'seventeen small turtles'
    const change = { currentPassword: person.password, newPassword: thiefs }
    expect((await newClient(service).send('PUT', '/auth/password', { token: access, body: change })).status).toBe(204)
    await enrol(service, access, { password: thiefs })
    expect((await inspect(undoLink)).body).toMatchObject({ purpose: 'email_undo', email: person.email })

    expect((await undo(undoLink)).status).toBe(204)
    expect(await stateOf(person)).toEqual({ email: person.email, signs_in_with: person.email, proved_by: 'link' })
    for (const email of [person.email, newEmail])
      for (const password of [thiefs, person.password])
        expect((await newClient(service).signIn(email, password, { device_token: device })).status).toBe(401)
    expect((await newClient(service).post('/auth/refresh', { refresh_token: refresh })).status).toBe(401)
    expect(problemOf(await service.get('/api/v1/user/data', { token: access })).code).toBe('session_ended')
    expect(await service.sql('select from device where account_id = $1', [person.id])).toEqual([])

    await newClient(service).post('/auth/recovery', { email: person.email })
    const recovery = { token: await lastLink(person.email), newPassword: 'nineteen modest herons' }
    expect((await newClient(service).post('/auth/recovery/complete', recovery)).status).toBe(200)
    tokensOf(await newClient(service).signIn(person.email, recovery.newPassword))
    expect(problemOf(await undo(undoLink))).toEqual(invalid)
  })

  test('of the first email invalidates the undo link of the second', async () => {
    const { person, newEmail, undoLink } = await changed()
    const third = newAddress()
    const { toNew, toOld } = await asked({ ...person, email: newEmail }, third)
    for (const token of [toNew, toOld]) expect((await confirm(token)).status).toBe(204)
    const second = await lastLink(newEmail)
    expect(second).not.toBe(toOld)
    expect((await undo(undoLink)).status).toBe(204)
    expect(await stateOf(person)).toMatchObject({ email: person.email })
    expect(problemOf(await undo(second))).toEqual(invalid)
  })

  test('stops working when an operator sets the email, because the old mailbox may be lost', async () => {
    const { person, undoLink } = await changed()
    const email = newAddress()
    await muster(service, `users set-email ${person.id} ${email} --proved`)
    expect(problemOf(await undo(undoLink))).toEqual(invalid)
    tokensOf(await newClient(service).signIn(email, person.password))
  })

  test('is rejected when used twice, after seven days, or if another account has verified the email', async () => {
    const twice = await changed()
    expect(usesOf(await Promise.all([twice.undoLink, twice.undoLink].map(undo)))).toEqual([204, 400])
    const late = await changed()
    await service.sql(`update account_link set expires_at = expires_at - interval '7 days' where account_id = $1`, [
      late.person.id,
    ])
    expect(problemOf(await undo(late.undoLink))).toEqual(invalid)
    const taken = await changed()
    await service.person({ email: taken.person.email })
    expect(problemOf(await undo(taken.undoLink))).toEqual(invalid)
    expect(await stateOf(taken.person)).toMatchObject({ email: taken.newEmail })
  })
})

describe('an invalid request', () => {
  test.each([
    ['no address', {}],
    ['a number', { newEmail: 7 }],
    ['two addresses', { newEmail: 'a@b.example, c@d.example' }],
    ['a line break', { newEmail: 'a@b.example\r\nBcc: c@d.example' }],
    ['too long', { newEmail: `${'a'.repeat(60)}@${`${'b'.repeat(63)}.`.repeat(4)}example` }],
    ['an unknown member', { newEmail: 'a@b.example', redirectTo: 'https://attacker.example' }],
  ])('returns 400 input_invalid for %s', async (_, body) => {
    const person = await service.person()
    const answer = await newClient(service).post('/auth/email', body, person.token)
    expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
  })

  test.each([
    ['no token', {}],
    ['a number', { token: 7 }],
    ['too long', { token: 'm'.repeat(257) }],
    ['an unknown member', { token: 'mlk_unknown', email: 'a@b.example' }],
  ])('returns 400 input_invalid for a link with %s', async (_, body) => {
    for (const path of ['/auth/email/confirm', '/auth/email/undo'])
      expect(problemOf(await newClient(service).post(path, body))).toEqual({ status: 400, code: 'input_invalid' })
  })

  test('is rejected without a token, with an old session, for the verified email itself, and for an account of another issuer', async () => {
    const person = await service.person()
    expect((await newClient(service).post('/auth/email', { newEmail: newAddress() })).status).toBe(401)
    expect(problemOf(await request(person.token, person.email)).code).toBe('input_invalid')
    await service.sql(`update session set proved_at = now() - interval '601 seconds' where account_id = $1`, [
      person.id,
    ])
    expect(problemOf(await request(person.token, newAddress()))).toEqual({ status: 401, code: 'step_up_required' })
    const foreign = await service.person()
    await service.sql('delete from credential where account_id = $1', [foreign.id])
    expect(problemOf(await request(foreign.token, newAddress()))).toEqual({ status: 409, code: 'password_missing' })
  })

  test('returns 409 mail_unconfigured without a mail server', async () => {
    const silent = await startIssuer()
    onTestFinished(() => silent.stop())
    const { token } = await silent.person()
    const answer = await newClient(silent).post('/auth/email', { newEmail: newAddress() }, token)
    expect(problemOf(answer)).toEqual({ status: 409, code: 'mail_unconfigured' })
  })
})
