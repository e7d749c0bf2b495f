import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailWork, openMailWork } from '../../src/sign-in/mail-work.ts'
import { type MailServer, mailSettings, startMailServer } from '../support/mail-server.ts'
import type { Person, Service } from '../support/service.ts'
import { challengeFor, enrol, newClient, startIssuer, tokensOf } from './test-client.ts'

let server: MailServer
let service: Service
let work: MailWork

beforeAll(async () => {
  server = await startMailServer()
  service = await startIssuer({ env: { ...mailSettings(server), MUSTER_MAIL_LANGUAGE: 'de' } })
  const { parts, config } = service
  if (!parts.issuer || !config.mail) throw new Error('the service sends no mail')
  work = await openMailWork(parts.issuer, config.mail, parts.log)
})
afterAll(async () => {
  work.close()
  await service.stop()
  await server.stop()
})

/** Subjects of the mails to a person, the oldest first. */
async function subjects({ email }: Pick<Person, 'email'>): Promise<readonly (string | undefined)[]> {
  await work.run()
  return server.received.filter(({ to }) => to.includes(email)).map(({ mail }) => mail.subject)
}

const changed = 'Die zweiten Faktoren Ihres Kontos bei muster.test wurden geändert'

test('a factor that is added or removed, and new recovery codes, are mailed to the owner; a refused change is not', async () => {
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

test('a used recovery code is mailed to the owner with the number that is left; a wrong one is not', async () => {
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

test('a device that the account does not know, in a new network, is mailed to the owner; a known one and a known network are not', async () => {
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

test('the erasure that a session requests is mailed to the owner with the day until which the account can be kept', async () => {
  const person = await service.person()
  const { access } = await newClient(service).openSession(person)
  const asked = await newClient(service).post('/auth/account/erase', {}, access)
  expect(asked.status, asked.text).toBe(202)
  const { erasesAt } = asked.body as { erasesAt: string }
  expect(await subjects(person)).toContain('Ihr Konto bei muster.test wird gelöscht')
  const mail = server.received.find(({ to, mail }) => to.includes(person.email) && mail.subject?.endsWith('gelöscht'))
  expect(mail?.mail.text).toContain(erasesAt.slice(0, 10))
})

test('an account has the mails in its own language', async () => {
  const person = await service.person()
  await service.sql(`update account set language = 'en' where id = $1`, [person.id])
  await enrol(service, person.token, { password: person.password })
  expect(await subjects(person)).toEqual(['The second factors of your account at muster.test were changed'])
})

test('an address that nothing proves gets no notification: anyone can have signed up with it', async () => {
  const person = await service.person()
  await service.sql(`update account set email_proved_at = null, email_proved_by = null where id = $1`, [person.id])
  await enrol(service, person.token, { password: person.password })
  expect(await subjects(person)).toEqual([])
})

test('a change that is rolled back is not mailed', async () => {
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
