import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type MailServer,
  type MailWork,
  mailSettings,
  mailWorkOf,
  startMailServer,
  tokenIn,
} from '../../../support/mail-server.ts'
import type { Answer, Person, Service } from '../../../support/service.ts'
import { enrol, laterCode, newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

let server: MailServer
let service: Service
let work: MailWork
let admin: Person
beforeAll(async () => {
  server = await startMailServer()
  service = await startIssuer({
    env: { ...mailSettings(server), MUSTER_MAIL_LANGUAGE: 'en', MUSTER_SIGN_UP: 'open' },
  })
  work = await mailWorkOf(service)
  admin = await service.person({ role: 'admin' })
})
afterAll(async () => {
  work.close()
  await service.stop()
  await server.stop()
})

let addresses = 0
const newAddress = () => `sprache${++addresses}@new.example`
const post = (path: string, body?: object, token?: string) => newClient(service).post(path, body, token)

async function done(answer: Promise<Answer>, status: number): Promise<Answer> {
  const { text, ...rest } = await answer
  expect(rest.status, text).toBe(status)
  return { text, ...rest }
}

/** An account whose owner has chosen German, while the service uses English. */
async function german(): Promise<Person> {
  const person = await service.person()
  const body = { language: 'de' }
  await done(newClient(service).send('PATCH', '/auth/account', { token: person.token, body }), 200)
  return person
}

async function mailed(email: string) {
  await work.run()
  return server.received.filter(({ to }) => to.includes(email))
}

async function lastMail(email: string) {
  const mail = (await mailed(email)).at(-1)
  if (!mail) throw new Error(`no mail was sent to ${email}`)
  return mail
}

const subjectTo = async (email: string) => (await lastMail(email)).mail.subject
const linkTo = async (email: string) => tokenIn(await lastMail(email))

describe('mails in the language of the user', () => {
  test('an email change: to the new email, to the current one, and when it is done', async () => {
    const [{ email, token }, newEmail] = [await german(), newAddress()]
    await done(post('/auth/email', { newEmail }, token), 202)
    expect(await subjectTo(newEmail)).toBe('Adresse für muster.test bestätigen')
    expect(await subjectTo(email)).toBe('Andere Adresse für Ihr Konto bei muster.test erlauben')
    for (const address of [newEmail, email])
      await done(post('/auth/email/confirm', { token: await linkTo(address) }), 204)
    expect(await subjectTo(email)).toBe('Die Adresse Ihres Kontos bei muster.test wurde geändert')
  })

  test('a recovery that the user or an operator requests, and its completion', async () => {
    const { id, email } = await german()
    await done(post('/auth/recovery', { email }), 202)
    expect(await subjectTo(email)).toBe('Neues Passwort für muster.test wählen')
    const path = `/api/v1/admin/users/${id}/recovery`
    await done(service.call('POST', path, { token: admin.token, headers: { 'if-match': '*' }, body: {} }), 202)
    expect((await mailed(email)).map(({ mail }) => mail.subject)).toEqual(
      [1, 2].map(() => 'Neues Passwort für muster.test wählen'),
    )
    await done(
      post('/auth/recovery/complete', { token: await linkTo(email), newPassword: 'seventeen small turtles' }),
      200,
    )
    expect(await subjectTo(email)).toBe('Ihr Passwort für muster.test wurde geändert')
  })

  test('another user wants to sign up with the email, or to change to it', async () => {
    const { email } = await german()
    await done(post('/auth/sign-up', { email }), 202)
    expect(await subjectTo(email)).toBe(`${email} hat schon ein Konto bei muster.test`)
    const other = await service.person()
    await done(post('/auth/email', { newEmail: email }, other.token), 202)
    expect((await mailed(email)).map(({ mail }) => mail.subject)).toHaveLength(2)
    expect(new Set((await mailed(email)).map(({ mail }) => mail.subject)).size).toBe(1)
    expect(await subjectTo(other.email)).toBe('Allow an email change for your account at muster.test')
  })

  test('a changed password, a changed factor, a used recovery code, a new device', async () => {
    const { email, password, token } = await german()
    const { recoveryCodes } = await enrol(service, token, { password })
    laterCode(service)
    expect(await subjectTo(email)).toBe('Die zweiten Faktoren Ihres Kontos bei muster.test wurden geändert')
    const change = { currentPassword: password, newPassword: 'seventeen small turtles' }
    await done(newClient(service).send('PUT', '/auth/password', { token, body: change }), 204)
    expect(await subjectTo(email)).toBe('Ihr Passwort für muster.test wurde geändert')
    const client = newClient(service)
    const { challenge } = (await client.signIn(email, change.newPassword)).body as { challenge: string }
    tokensOf(await client.post('/auth/sign-in/second-step', { challenge, recoveryCode: recoveryCodes[0] }))
    expect(
      (await mailed(email))
        .map(({ mail }) => mail.subject)
        .slice(2)
        .sort(),
    ).toEqual([
      'Ein Wiederherstellungscode Ihres Kontos bei muster.test wurde benutzt',
      'Neue Anmeldung bei muster.test',
    ])
  })
})

test('a mail to an email without an account is in the language of the service', async () => {
  const email = newAddress()
  await done(post('/auth/sign-up', { email }), 202)
  expect(await subjectTo(email)).toBe('Finish your sign-up to muster.test')
})
