import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdRows } from '../../../support/blocked.ts'
import {
  lastLinkTo,
  type MailServer,
  type MailWork,
  mailSettings,
  mailWorkOf,
  startMailServer,
} from '../../../support/mail-server.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Answer, Person, Service } from '../../../support/service.ts'
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

const post = (path: string, body: object, token?: string) => newClient(service).post(path, body, token)
const newPassword = 'seventeen small turtles'

const lastLink = (email: string) => lastLinkTo(email, server, work)

/** The links to the new and the current email. */
async function asked({ token, email }: Person, newEmail: string): Promise<readonly [string, string]> {
  expect((await post('/auth/email', { newEmail }, token)).status).toBe(202)
  return [await lastLink(newEmail), await lastLink(email)]
}

const confirm = (token: string) => post('/auth/email/confirm', { token })

/** Prepares a link. Returns a function that uses it. */
const uses: Readonly<Record<string, (person: Person) => Promise<() => Promise<Answer>>>> = {
  'the first link of an email change': async (person) => {
    const [toNew] = await asked(person, `first-${person.email}`)
    return () => confirm(toNew)
  },
  'the second link of an email change': async (person) => {
    const [toNew, toOld] = await asked(person, `second-${person.email}`)
    expect((await confirm(toNew)).status).toBe(204)
    return () => confirm(toOld)
  },
  'the link that undoes an email change': async (person) => {
    for (const link of await asked(person, `undone-${person.email}`)) expect((await confirm(link)).status).toBe(204)
    const token = await lastLink(person.email)
    return () => post('/auth/email/undo', { token })
  },
  'a recovery with a new password': async ({ email }) => {
    await post('/auth/recovery', { email })
    const token = await lastLink(email)
    return () => post('/auth/recovery/complete', { token, newPassword })
  },
  'a recovery that only makes the device known': async ({ email }) => {
    await post('/auth/recovery', { email })
    const token = await lastLink(email)
    return () => post('/auth/recovery/complete', { token })
  },
}

const everythingOf = ({ id }: Person) =>
  Promise.all(
    [
      'select email, email_proved_at, security_epoch from account where id = $1',
      'select email, password, initial_until from credential where account_id = $1',
      'select id, ended_at from session where account_id = $1 order by id',
      'select id from device where account_id = $1 order by id',
      'select action from audit_event where target_id = $1::uuid::text order by at, id',
    ].map((text) => service.sql(text, [id])),
  )

describe('a link that is removed while it is being used changes nothing: 400 link_invalid', () => {
  test.each(Object.keys(uses))('%s', async (name) => {
    const person = await service.person()
    await newClient(service).openSession(person)
    const use = await uses[name]?.(person)
    if (!use) throw new Error(name)
    const before = await everythingOf(person)
    const held = await holdRows(service.fresh, [['delete from account_link where account_id = $1', [person.id]]])
    const used = use()
    await held.commitOnce(used)
    expect(problemOf(await used)).toEqual({ status: 400, code: 'link_invalid' })
    expect(await everythingOf(person)).toEqual(before)
  })

  test('a sign-up', async () => {
    const email = 'grace@new.example'
    expect((await post('/auth/sign-up', { email })).status).toBe(202)
    const token = await lastLink(email)
    const held = await holdRows(service.fresh, [['delete from sign_up_link where email = $1', [email]]])
    const used = post('/auth/sign-up/confirm', { token, password: newPassword })
    await held.commitOnce(used)
    expect(problemOf(await used)).toEqual({ status: 400, code: 'link_invalid' })
    expect(await service.sql('select from account where email = $1', [email])).toEqual([])
  })
})

test('both links of an email change work when used concurrently', async () => {
  const person = await service.person()
  const newEmail = `both-${person.email}`
  const links = await asked(person, newEmail)
  const locked = 'select from account_link where account_id = $1 for update'
  const held = await holdRows(service.fresh, [[locked, [person.id]]])
  const used = links.map(confirm)
  await held.commitOnce(Promise.all(used))
  expect((await Promise.all(used)).map(({ status }) => status)).toEqual([204, 204])
  expect(await service.sql('select email from account where id = $1', [person.id])).toEqual([{ email: newEmail }])
})

test('a link of another account works when used concurrently', async () => {
  const [person, other] = [await service.person(), await service.person()]
  await uses['a recovery with a new password']?.(person)
  const use = await uses['a recovery with a new password']?.(other)
  const held = await holdRows(service.fresh, [['delete from account_link where account_id = $1', [person.id]]])
  const used = use?.()
  await held.commitOnce(Promise.resolve(used))
  expect((await used)?.status).toBe(200)
  tokensOf(await newClient(service).signIn(other.email, newPassword))
})
