import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeEmail, resetFactors, unlockAccount } from '../../src/sign-in/links/operator-recovery.ts'
import { createRecoveryLink } from '../../src/sign-in/links/recovery-links.ts'
import { type MailServer, mailSettings, startMailServer } from '../support/mail-server.ts'
import { problemOf } from '../support/problem.ts'
import type { Person, Service } from '../support/service.ts'
import { enrol, newClient, startIssuer } from '../support/test-client.ts'

let server: MailServer
let service: Service
beforeAll(async () => {
  server = await startMailServer()
  service = await startIssuer({ env: mailSettings(server) })
})
afterAll(async () => {
  await service.stop()
  await server.stop()
})

type Rows = Parameters<Parameters<Service['database']['transaction']>[0]>[0]
const inTransaction = <Result>(work: (rows: Rows) => Promise<Result>) => service.database.transaction(work)
const newEmailOf = ({ id }: Person) => `new-${id}@example.com`

const commands: Readonly<Record<string, (rows: Rows, person: Person) => Promise<unknown>>> = {
  'account.unlocked': (rows, { id }) => unlockAccount(rows, id),
  'account.email_changed': (rows, person) =>
    changeEmail(rows, { accountId: person.id, email: newEmailOf(person), isProved: true, outbox: undefined }),
  'factors.reset': (rows, { id }) => resetFactors(rows, id, undefined),
  'recovery.link_created': (rows, { id }) =>
    createRecoveryLink(rows, 'http://muster.test/auth/link', { accountId: id, resetsFactors: true }),
}
const details: Readonly<Record<string, object>> = {
  'recovery.link_created': { resetsFactors: true, isMailed: false },
}

test.each(Object.keys(commands))('records one audit event with the account and no actor for %s', async (action) => {
  const person = await service.person()
  await enrol(service, person.token, { password: person.password })
  const eventsOf = () =>
    service.sql(
      `select action, actor_id, target_kind, target_id, address, details from audit_event
       where target_id = $1 and actor_id is null order by at, id`,
      [person.id],
    )
  const before = await eventsOf()
  await inTransaction(async (rows) => commands[action]?.(rows, person))
  const event = { action, actor_id: null, target_kind: 'account', target_id: person.id, address: null }
  expect((await eventsOf()).slice(before.length)).toEqual([{ ...event, details: details[action] ?? {} }])
})

describe('an account without a password', () => {
  async function foreign(): Promise<Person> {
    const person = await service.person()
    await service.sql('delete from credential where account_id = $1', [person.id])
    return person
  }
  const missing = { code: 'password_missing', more: { detail: expect.stringContaining('another issuer') } }

  test('rejects an operator’s email change with password_missing', async () => {
    const { id, email } = await foreign()
    for (const isProved of [true, false]) {
      const change = { accountId: id, email: `new-${id}@example.com`, isProved, outbox: undefined }
      await expect(inTransaction((rows) => changeEmail(rows, change))).rejects.toMatchObject(missing)
    }
    expect(await service.sql('select email from account where id = $1', [id])).toEqual([{ email }])
  })

  test('rejects recovery links on the command line and for administrators with password_missing', async () => {
    const { id, email } = await foreign()
    const wanted = { accountId: id, resetsFactors: false }
    const make = inTransaction((rows) => createRecoveryLink(rows, 'http://muster.test/auth/link', wanted))
    await expect(make).rejects.toMatchObject(missing)
    const { token } = await service.person({ role: 'admin' })
    const headers = { 'if-match': '*' }
    const answer = await service.call('POST', `/api/v1/admin/users/${id}/recovery`, { token, headers, body: {} })
    expect(problemOf(answer)).toEqual({ status: 409, code: 'password_missing' })
    expect((await newClient(service).post('/auth/recovery', { email })).status).toBe(202)
    expect(await service.sql('select from account_link where account_id = $1', [id])).toEqual([])
  })
})
