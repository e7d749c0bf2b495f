import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type MailServer,
  type MailWork,
  mailSettings,
  mailWorkOf,
  startMailServer,
  tokenIn,
} from '../../../support/mail-server.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Person, Service } from '../../../support/service.ts'
import { newClient, startIssuer } from '../../../support/test-client.ts'

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

const ask = (token: string, newEmail: string) => newClient(service).post('/auth/email', { newEmail }, token)
const withdraw = (token: string) => newClient(service).send('DELETE', '/auth/email', { token })
const account = async (token: string) => (await service.get('/auth/account', { token })).body
const confirm = (token: string) => newClient(service).post('/auth/email/confirm', { token })
const events = ({ id }: Person) =>
  service.sql(`select action from audit_event where target_id = $1 and action = 'account.email_withdrawn'`, [id])

async function mailedTo(email: string): Promise<string> {
  await work.run()
  const [mail] = server.received.filter(({ to }) => to.includes(email))
  return mail ? tokenIn(mail) : ''
}

describe('a pending email change', () => {
  test('is returned to its owner with the emails whose links are unused', async () => {
    const person = await service.person()
    expect(await account(person.token)).not.toHaveProperty('emailChange')
    await ask(person.token, 'open.change@new.example')
    const open = { newEmail: 'open.change@new.example', expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) }
    expect(await account(person.token)).toMatchObject({ emailChange: { ...open, awaits: ['new', 'present'] } })
    expect((await confirm(await mailedTo('open.change@new.example'))).status).toBe(204)
    expect(await account(person.token)).toMatchObject({ emailChange: { ...open, awaits: ['present'] } })
  })

  test('is returned the same way for a taken email', async () => {
    const [person, other] = [await service.person(), await service.person()]
    await ask(person.token, other.email)
    expect(await account(person.token)).toMatchObject({ emailChange: { newEmail: other.email } })
  })

  test('is cancelled with 204: its links stop working and the email stays', async () => {
    const person = await service.person()
    await ask(person.token, 'withdrawn@new.example')
    const links = [await mailedTo('withdrawn@new.example'), await mailedTo(person.email)]
    expect((await withdraw(person.token)).status).toBe(204)
    for (const link of links) expect(problemOf(await confirm(link))).toEqual({ status: 400, code: 'link_invalid' })
    const after = await account(person.token)
    expect(after).toHaveProperty('email', person.email)
    expect(after).not.toHaveProperty('emailChange')
    expect(await events(person)).toHaveLength(1)
  })

  test('cancelling returns 204 without an audit event if no change is pending', async () => {
    const person = await service.person()
    expect((await withdraw(person.token)).status).toBe(204)
    expect(await events(person)).toEqual([])
  })

  test('is not cancelled without a token', async () => {
    expect(problemOf(await newClient(service).send('DELETE', '/auth/email'))).toEqual({
      status: 401,
      code: 'token_missing',
    })
  })
})
