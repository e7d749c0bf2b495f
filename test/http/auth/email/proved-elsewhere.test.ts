import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  lastLinkTo,
  type MailServer,
  type MailWork,
  mailSettings,
  mailWorkOf,
  startMailServer,
} from '../../../support/mail-server.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Person, Service } from '../../../support/service.ts'
import { newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

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

const newPassword = 'seventeen small turtles'
const post = (path: string, body: object, token?: string) => newClient(service).post(path, body, token)

const lastLink = (email: string) => lastLinkTo(email, server, work)

/** An account with an unverified email, which another account has verified at its own issuer. */
async function contested(): Promise<{ readonly person: Person; readonly prove: () => Promise<Person> }> {
  const person = await service.person()
  await service.sql('update account set email_proved_at = null, email_proved_by = null where id = $1', [person.id])
  const prove = async () => {
    const owner = await service.person()
    await service.sql('delete from credential where account_id = $1', [owner.id])
    await service.sql('update account set email = $2 where id = $1', [owner.id, person.email])
    await service.sql(`update account set email_proved_at = now(), email_proved_by = 'issuer' where id = $1`, [
      owner.id,
    ])
    return owner
  }
  return { person, prove }
}

const proofOf = ({ id }: Person) => service.sql('select email, email_proved_by as by from account where id = $1', [id])

test('a mailed recovery sets a new password, and the email stays verified only for the account that verified it first', async () => {
  const { person, prove } = await contested()
  expect((await post('/auth/recovery', { email: person.email })).status).toBe(202)
  const token = await lastLink(person.email)
  const owner = await prove()
  expect((await post('/auth/recovery/complete', { token, newPassword })).status).toBe(200)
  expect(await proofOf(owner)).toEqual([{ email: person.email, by: 'issuer' }])
  expect(await proofOf(person)).toEqual([{ email: person.email, by: null }])
  tokensOf(await newClient(service).signIn(person.email, newPassword))
})

test('a link does not verify an email that another account has verified in the meantime: 400 link_invalid', async () => {
  const { person, prove } = await contested()
  expect((await post('/auth/email', { newEmail: person.email }, person.token)).status).toBe(202)
  const token = await lastLink(person.email)
  const owner = await prove()
  expect(problemOf(await post('/auth/email/confirm', { token }))).toEqual({ status: 400, code: 'link_invalid' })
  expect(await proofOf(owner)).toEqual([{ email: person.email, by: 'issuer' }])
  expect(await proofOf(person)).toEqual([{ email: person.email, by: null }])
})
