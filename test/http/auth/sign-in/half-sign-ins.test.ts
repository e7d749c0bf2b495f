import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  lastLinkTo,
  type MailServer,
  type MailWork,
  mailSettings,
  mailWorkOf,
  startMailServer,
} from '../../../support/mail-server.ts'
import { muster } from '../../../support/operator.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Person, Service } from '../../../support/service.ts'
import {
  challengeFor,
  codeAt,
  type EnrolledFactor,
  enrol,
  laterCode,
  newClient,
  startIssuer,
  tokensOf,
} from '../../../support/test-client.ts'

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
const over = { status: 401, code: 'challenge_invalid' }
const codeOf = ({ secret }: EnrolledFactor) => codeAt(secret, service.clock.now())
const post = (path: string, body: object, token?: string) => newClient(service).post(path, body, token)
const second = (body: object) => post('/auth/sign-in/second-step', body)

interface Member extends Person {
  readonly factor: EnrolledFactor
}

/** An account with a factor, with a session that has used it. */
async function member(): Promise<Member> {
  const person = await service.person()
  const factor = await enrol(service, person.token, { password: person.password })
  laterCode(service)
  return { ...person, factor }
}

const lastLink = (email: string) => lastLinkTo(email, server, work)

async function confirmChange({ email, token }: Member, newEmail: string): Promise<void> {
  expect((await post('/auth/email', { newEmail }, token)).status).toBe(202)
  expect((await post('/auth/email/confirm', { token: await lastLink(newEmail) })).status).toBe(204)
  await work.run()
  expect(server.received.some(({ to }) => to.includes(email))).toBe(true)
}

const ends: Readonly<Record<string, (member: Member) => Promise<unknown>>> = {
  'a password change': async ({ token, password }) => {
    const body = { currentPassword: password, newPassword }
    expect((await newClient(service).send('PUT', '/auth/password', { token, body })).status).toBe(204)
  },
  'a recovery with a new password': async ({ email, factor }) => {
    await post('/auth/recovery', { email })
    const { recoveryCodes } = factor
    const body = { token: await lastLink(email), newPassword, recoveryCode: recoveryCodes[1] }
    expect((await post('/auth/recovery/complete', body)).status).toBe(200)
  },
  'a factor reset by an operator': ({ id }) => muster(service, `users reset-factors ${id}`),
  'disabling and enabling the account': async ({ id }) => {
    for (const command of ['disable', 'enable']) await muster(service, `users ${command} ${id}`)
  },
  'the first verification of the email': async ({ id, email, token }) => {
    await service.sql('update account set email_proved_at = null, email_proved_by = null where id = $1', [id])
    expect((await post('/auth/email', { newEmail: email }, token)).status).toBe(202)
    expect((await post('/auth/email/confirm', { token: await lastLink(email) })).status).toBe(204)
  },
}

describe('the second step returns 401 challenge_invalid after', () => {
  test.each(Object.keys(ends))('%s', async (name) => {
    const person = await member()
    const challenge = await challengeFor(newClient(service), person)
    await ends[name]?.(person)
    for (const proof of [
      { factorId: person.factor.id, code: codeOf(person.factor) },
      { recoveryCode: person.factor.recoveryCodes[0] },
    ])
      expect(problemOf(await second({ challenge, ...proof }))).toEqual(over)
    expect(await service.sql('select from webauthn_challenge where account_id = $1', [person.id])).toEqual([])
  })

  test('an undone email change', async () => {
    const person = await member()
    const newEmail = `moved-${person.id}@new.example`
    await confirmChange(person, newEmail)
    const challenge = await challengeFor(newClient(service), { ...person, email: newEmail })
    expect((await post('/auth/email/undo', { token: await lastLink(person.email) })).status).toBe(204)
    // The factor is older than the change, so it stays.
    expect(await service.sql('select from factor where account_id = $1', [person.id])).toHaveLength(1)
    expect(problemOf(await second({ challenge, factorId: person.factor.id, code: codeOf(person.factor) }))).toEqual(
      over,
    )
  })
})

test('a sign-in of another account continues, and so does one that began after the change', async () => {
  const [person, other] = [await member(), await member()]
  const challenge = await challengeFor(newClient(service), other)
  await ends['a password change']?.(person)
  tokensOf(await second({ challenge, factorId: other.factor.id, code: codeOf(other.factor) }))
  const next = await challengeFor(newClient(service), { ...person, password: newPassword })
  tokensOf(await second({ challenge: next, factorId: person.factor.id, code: codeOf(person.factor) }))
})
