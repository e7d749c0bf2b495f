import { afterAll, beforeAll, expect, test } from 'vitest'
import { runMuster } from '../../../cli/run-muster.ts'
import { makeDataDir } from '../../../support/data-dir.ts'
import {
  type MailServer,
  type MailWork,
  mailSettings,
  mailWorkOf,
  startMailServer,
} from '../../../support/mail-server.ts'
import { muster as command } from '../../../support/operator.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Person, Service } from '../../../support/service.ts'
import { challengeFor, enrol, newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

let server: MailServer
let service: Service
let work: MailWork
let dataDir: Awaited<ReturnType<typeof makeDataDir>>
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  server = await startMailServer()
  dataDir = await makeDataDir()
  env = {
    ...mailSettings(server),
    MUSTER_MAIL_LANGUAGE: 'de',
    MUSTER_DATA_DIR: dataDir.path,
    MUSTER_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64'),
  }
  service = await startIssuer({ env })
  work = await mailWorkOf(service)
})
afterAll(async () => {
  work.close()
  await service.stop()
  await server.stop()
  await dataDir.remove()
})

/** Subjects of the mails to a user, the oldest first. */
async function subjects({ email }: Pick<Person, 'email'>): Promise<readonly (string | undefined)[]> {
  await work.run()
  return server.received.filter(({ to }) => to.includes(email)).map(({ mail }) => mail.subject)
}

const changed = 'Die zweiten Faktoren Ihres Kontos bei muster.test wurden geändert'

test('mails the owner when a factor is added or removed or recovery codes are replaced, but not for a rejected change', async () => {
  const person = await service.person()
  const factor = await enrol(service, person.token, { password: person.password })
  expect(await subjects(person)).toEqual([changed])
  const client = newClient(service)
  const refused = await client.post('/auth/recovery-codes', { password: 'a wrong password' }, person.token)
  expect(refused.status).toBe(403)
  expect(await subjects(person)).toHaveLength(1)
  const renewed = await client.post('/auth/recovery-codes', { password: person.password }, person.token)
  expect(renewed.status, renewed.text).toBe(201)
  const removed = await client.post(`/auth/factors/${factor.id}/remove`, { password: person.password }, person.token)
  expect(removed.status, removed.text).toBe(204)
  expect(await subjects(person)).toEqual([changed, changed, changed])
})

test('mails the owner how many recovery codes are left after one was used, but not for a wrong code', async () => {
  const person = await service.person()
  const factor = await enrol(service, person.token, { password: person.password })
  const client = newClient(service)
  const challenge = await challengeFor(client, person)
  const wrong = await client.post('/auth/sign-in/second-step', { challenge, recoveryCode: 'aaaaa' })
  expect(wrong.status).toBe(403)
  const right = await client.post('/auth/sign-in/second-step', { challenge, recoveryCode: factor.recoveryCodes[0] })
  tokensOf(right)
  const mails = (await subjects(person)).filter((subject) => subject?.startsWith('Ein Wiederherstellungscode'))
  expect(mails).toHaveLength(1)
  const [mail] = server.received.filter(
    ({ mail }) => mail.text?.includes('Unbenutzte Codes: 9.') && mail.text.includes(person.email),
  )
  expect(mail?.to).toEqual([person.email])
})

test('mails the owner about an unknown device in a new network, but not about a known device or network', async () => {
  const person = await service.person()
  const home = newClient(service)
  const { device } = await home.openSession(person)
  const first = (await subjects(person)).length
  await home.openSession(person)
  expect(await subjects(person)).toHaveLength(first)
  tokensOf(await newClient(service).signIn(person.email, person.password, { device_token: device }))
  expect(await subjects(person)).toHaveLength(first)
  await newClient(service).openSession(person)
  expect((await subjects(person)).slice(first)).toEqual(['Neue Anmeldung bei muster.test'])
})

test('sends no mail about the first sign-in; a network counts as new after 30 days or if only another account used it', async () => {
  const [person, other] = [await service.person(), await service.person()]
  await service.sql('delete from session where account_id = $1', [person.id])
  await newClient(service).openSession(person)
  expect(await subjects(person)).toEqual([])
  const client = newClient(service)
  await client.openSession(other)
  await client.openSession(person)
  expect(await subjects(person)).toEqual(['Neue Anmeldung bei muster.test'])
  await service.sql(`update session set created_at = now() - interval '31 days' where account_id = $1`, [person.id])
  await client.openSession(person)
  expect(await subjects(person)).toHaveLength(2)
})

test('mails the owner the day until which a requested deletion can be undone', async () => {
  const person = await service.person()
  const { access } = await newClient(service).openSession(person)
  const asked = await newClient(service).post('/auth/account/erase', {}, access)
  expect(asked.status, asked.text).toBe(202)
  const { erasesAt } = asked.body as { erasesAt: string }
  expect(await subjects(person)).toContain('Ihr Konto bei muster.test wird gelöscht')
  const mail = server.received.find(({ to, mail }) => to.includes(person.email) && mail.subject?.endsWith('gelöscht'))
  expect(mail?.mail.text).toContain(erasesAt.slice(0, 10))
})

const choose = (token: string | undefined, body: unknown, more: object = {}) =>
  newClient(service).send('PATCH', '/auth/account', { ...(token && { token }), body, ...more })

test('sends mails in the language that the user has chosen, until the user chooses the language of the service again', async () => {
  const person = await service.person()
  expect(await choose(person.token, { language: 'en' })).toMatchObject({ status: 200, body: { language: 'en' } })
  await enrol(service, person.token, { password: person.password })
  expect(await subjects(person)).toEqual(['The second factors of your account at muster.test were changed'])
  expect(await choose(person.token, { language: null })).toMatchObject({ status: 200, body: { language: null } })
  await newClient(service).post('/auth/recovery-codes', { password: person.password }, person.token)
  expect((await subjects(person)).at(-1)).toBe(changed)
})

test('GET /auth/account returns the email, whether it is verified, and the chosen language, and rejects other callers', async () => {
  const person = await service.person()
  const read = (token: string | undefined, query = '') =>
    newClient(service).send('GET', `/auth/account${query}`, { ...(token && { token }) })
  const { status, body } = await read(person.token)
  expect({ status, body }).toEqual({
    status: 200,
    body: { email: person.email, emailProved: true, displayName: null, language: null },
  })
  await choose(person.token, { language: 'en' })
  await service.sql('update account set email_proved_at = null, email_proved_by = null where id = $1', [person.id])
  expect((await read(person.token)).body).toEqual({
    email: person.email,
    emailProved: false,
    displayName: null,
    language: 'en',
  })

  expect(problemOf(await read(person.token, '?all=true'))).toEqual({ status: 400, code: 'input_invalid' })
  expect(problemOf(await read(undefined))).toEqual({ status: 401, code: 'token_missing' })
  await service.sql('update session set ended_at = now() where account_id = $1', [person.id])
  expect(problemOf(await read(person.token))).toEqual({ status: 401, code: 'session_ended' })
})

test('PATCH /auth/account rejects invalid bodies and everyone except a session of the account', async () => {
  const [person, disabled, other] = [await service.person(), await service.person(), await service.person()]
  const german = { language: 'de' }
  for (const body of [{}, { language: 'fr' }, { language: 7 }, { ...german, email: 'a@b.example' }])
    expect(problemOf(await choose(person.token, body))).toEqual({ status: 400, code: 'input_invalid' })
  expect((await choose(person.token, { language: 'fr' })).body).toMatchObject({
    errors: [{ pointer: '/language', detail: 'must be one of: en, de, or must be of the type null' }],
  })
  const raw = (rawBody: string, type = 'application/json') =>
    newClient(service).send('PATCH', '/auth/account', {
      token: person.token,
      rawBody,
      headers: { 'content-type': type },
    })
  expect(problemOf(await raw('{'))).toEqual({ status: 400, code: 'body_malformed' })
  expect(problemOf(await raw('language: de', 'application/yaml')).status).toBe(415)
  expect(problemOf(await raw(JSON.stringify({ language: 'x'.repeat(2_000_000) })))).toEqual({
    status: 413,
    code: 'body_too_large',
  })
  expect(problemOf(await choose(undefined, german))).toEqual({ status: 401, code: 'token_missing' })
  await service.sql('update account set disabled_at = now() where id = $1', [disabled.id])
  expect(problemOf(await choose(disabled.token, german))).toEqual({ status: 401, code: 'account_disabled' })
  await service.sql('update session set ended_at = now() where account_id = $1', [other.id])
  expect(problemOf(await choose(other.token, german))).toEqual({ status: 401, code: 'session_ended' })
  const languages = await service.sql('select language from account where id = any ($1)', [
    [person.id, disabled.id, other.id],
  ])
  expect(languages).toEqual([{ language: null }, { language: null }, { language: null }])
})

test('mails the owner about a deletion by an administrator and its completion, each once', async () => {
  const admin = await service.person({ role: 'admin' })
  for (const [language, scheduled, erased] of [
    ['de', 'Ihr Konto bei muster.test wird gelöscht', 'Ihr Konto bei muster.test ist gelöscht'],
    ['en', 'Your account at muster.test will be deleted', 'Your account at muster.test was deleted'],
  ] as const) {
    const person = await service.person()
    expect((await choose(person.token, { language })).status).toBe(200)
    const erase = (body: object) =>
      service.call('DELETE', `/api/v1/admin/users/${person.id}`, {
        token: admin.token,
        headers: { 'if-match': '*' },
        body,
      })
    const asked = await erase({})
    expect(asked.status, asked.text).toBe(202)
    expect(await subjects(person)).toEqual([scheduled])
    expect((await erase({ immediately: true })).status).toBe(202)
    expect(await subjects(person)).toEqual([scheduled, erased])
  }
})

test('the mail about a deletion says who can undo it: the owner, or only an administrator if the account is disabled', async () => {
  const admin = await service.person({ role: 'admin' })
  for (const [language, byOwner, byAdministrator] of [
    ['en', 'sign in and follow', 'Only an administrator of muster.test can keep it'],
    ['de', 'Melden Sie sich an', 'nur ein Administrator von muster.test'],
  ] as const) {
    const [enabled, disabled] = [await service.person(), await service.person()]
    const ask = (method: string, path: string) =>
      service.call(method, path, { token: admin.token, headers: { 'if-match': '*' }, body: {} })
    for (const { token } of [enabled, disabled]) expect((await choose(token, { language })).status).toBe(200)
    expect((await ask('POST', `/api/v1/admin/users/${disabled.id}/disable`)).status).toBe(200)
    for (const { id } of [enabled, disabled])
      expect((await ask('DELETE', `/api/v1/admin/users/${id}`)).status).toBe(202)
    await work.run()
    const textTo = ({ email }: Person) => server.received.findLast(({ to }) => to.includes(email))?.mail.text ?? ''
    expect([textTo(enabled).includes(byOwner), textTo(enabled).includes(byAdministrator)]).toEqual([true, false])
    expect([textTo(disabled).includes(byOwner), textTo(disabled).includes(byAdministrator)]).toEqual([false, true])
  }
})

test('mails the owner about changes by an operator, at the previous email; an invitation is mailed and not printed', async () => {
  const muster = (command: string, more: Record<string, string> = {}) =>
    runMuster(command.split(' '), { env: { ...env, DATABASE_URL: service.fresh.url, ...more } })
  const person = await service.person()
  await enrol(service, person.token, { password: person.password })
  expect((await muster(`users reset-factors ${person.id}`)).code).toBe(0)
  expect((await muster(`users set-email ${person.id} moved-${person.email} --proved`)).code).toBe(0)
  expect(await subjects(person)).toEqual([
    changed,
    changed,
    'Der Betreiber von muster.test hat die Adresse Ihres Kontos geändert',
  ])
  expect((await muster(`users erase ${person.id} --now`)).code).toBe(0)
  const moved = { email: `moved-${person.email}` }
  expect(await subjects(moved)).toEqual(['Ihr Konto bei muster.test ist gelöscht'])

  const guest = { email: `guest-${person.email}` }
  const invited = await muster(`users invite --email ${guest.email} --mail`)
  expect(invited).toMatchObject({ code: 0, stdout: `Sent the invitation to ${guest.email}.\n` })
  expect(invited.stderr).not.toContain('mit_')
  expect(await subjects(guest)).toEqual(['Einladung zu muster.test'])
  expect(server.received.at(-1)?.mail.text).toMatch(/#token=mit_[\w-]{43}&purpose=invitation/)
  const without = await muster('users invite --email other@example.com --mail', { MUSTER_SMTP_URL: '' })
  expect(without).toMatchObject({ code: 1, stdout: '' })
  expect(await service.sql(`select from sign_up_invitation where email = 'other@example.com'`)).toEqual([])
})

test('mails a changed email in the language of the owner, and nothing if the email or the factors do not change', async () => {
  const person = await service.person()
  expect((await choose(person.token, { language: 'en' })).status).toBe(200)
  await command(service, `users set-email ${person.id} ${person.email} --proved`)
  await command(service, `users reset-factors ${person.id}`)
  expect(await subjects(person)).toEqual([])
  await command(service, `users set-email ${person.id} new-${person.email} --proved`)
  expect(await subjects(person)).toEqual(['The operator of muster.test changed the email of your account'])
})

test('sends no notification to an unverified email, because anyone can have signed up with it', async () => {
  const person = await service.person()
  await service.sql(`update account set email_proved_at = null, email_proved_by = null where id = $1`, [person.id])
  await enrol(service, person.token, { password: person.password })
  expect(await subjects(person)).toEqual([])
})

test('sends no mail about a change that is rolled back', async () => {
  const person = await service.person()
  const { issuer } = service.parts
  const rolledBack = service.database.transaction(async (rows) => {
    await issuer?.outbox?.put(rows, {
      kind: 'passwordChanged',
      to: person.email,
      language: null,
      values: {},
      accountId: person.id,
      lifeSeconds: 60,
    })
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  expect(await subjects(person)).toEqual([])
})
