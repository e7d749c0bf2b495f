import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type MailServer,
  type MailWork,
  mailSettings,
  mailWorkOf,
  passMailTime,
  type Received,
  startMailServer,
  tokenIn,
} from '../../../support/mail-server.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Person, Service } from '../../../support/service.ts'
import { enrol, newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

let server: MailServer
let service: Service
let work: MailWork
let admin: Person

beforeAll(async () => {
  server = await startMailServer()
  service = await startIssuer({ env: { ...mailSettings(server), MUSTER_METRICS_TOKEN: 'a-token-of-the-monitoring' } })
  work = await mailWorkOf(service)
  admin = await service.person({ role: 'admin' })
})
afterAll(async () => {
  work.close()
  await service.stop()
  await server.stop()
})

const newPassword = 'seventeen small turtles'

const ask = (email: unknown, client = newClient(service)) => client.post('/auth/recovery', { email })
const complete = (token: string, more: object = { newPassword }) =>
  newClient(service).post('/auth/recovery/complete', { token, ...more })

/** The mails to an email, once all requests are handled. */
async function mailsTo(email: string): Promise<readonly Received[]> {
  await work.run()
  return server.received.filter(({ to }) => to.includes(email))
}

/** The mails with a link. A changed factor sends a mail too. */
async function linksTo(email: string): Promise<readonly Received[]> {
  return (await mailsTo(email)).filter((received) => tokenIn(received) !== '')
}

/** An account with an unverified email, as after an open sign-up. */
async function unproved(): Promise<Person> {
  const person = await service.person()
  await service.sql(`update account set email_proved_at = null, email_proved_by = null where id = $1`, [person.id])
  return person
}

describe('POST /auth/recovery', () => {
  test('mails a link, with which the owner chooses a password and is notified of the change', async () => {
    const person = await service.person()
    const before = await newClient(service).openSession(person)
    const answer = await ask(person.email.toUpperCase())
    expect([answer.status, answer.body]).toEqual([202, {}])
    const [received, ...others] = await linksTo(person.email)
    expect(others).toEqual([])
    if (!received) throw new Error('no mail arrived')
    expect(received.from).toBe('muster@corp.example')
    expect(received.mail).toMatchObject({
      from: { name: 'Muster', address: 'muster@corp.example' },
      subject: 'Choose a new password for muster.test',
    })
    expect(received.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(received.mail.text).toMatch(/^http:\/\/muster\.test\/auth\/link#token=mlk_[\w-]{43}&purpose=recovery$/m)
    expect(received.mail.html).toContain(`#token=${tokenIn(received)}`)

    expect((await complete(tokenIn(received))).status).toBe(200)
    expect((await newClient(service).signIn(person.email, person.password)).status).toBe(401)
    expect(problemOf(await service.get('/api/v1/user/data', { token: before.access })).code).toBe('session_ended')
    tokensOf(await newClient(service).signIn(person.email, newPassword))
    const subjects = (await mailsTo(person.email)).map(({ mail }) => mail.subject)
    expect(subjects).toContain('Your password for muster.test was changed')
    expect(problemOf(await complete(tokenIn(received)))).toEqual({ status: 400, code: 'link_invalid' })
  })

  test('returns the same 202 {} with an account, without one and for a disabled one, and mails only the first', async () => {
    const [person, disabled] = [await service.person(), await service.person()]
    await service.sql('update account set disabled_at = now() where id = $1', [disabled.id])
    const nobody = 'nobody@nowhere.example'
    for (const email of [person.email, nobody, disabled.email]) {
      const answer = await ask(email)
      expect([answer.status, answer.body]).toEqual([202, {}])
    }
    const rows = await service.sql(
      `select email is null as handled, account_id is null as unknown from mail_request where email is not null`,
    )
    expect(rows).toEqual([1, 2, 3].map(() => ({ handled: false, unknown: true })))
    expect(await mailsTo(person.email)).toHaveLength(1)
    expect([...(await mailsTo(nobody)), ...(await mailsTo(disabled.email))]).toEqual([])
    expect(await service.sql('select from mail_request where email is not null')).toEqual([])
  })

  test('sends at most three mails an hour and ten a day to one account', async () => {
    const person = await service.person()
    const askOften = async () => {
      for (let n = 0; n < 5; n += 1) expect((await ask(person.email)).status).toBe(202)
      return (await mailsTo(person.email)).length
    }
    expect(await askOften()).toBe(3)
    const counts = []
    for (let hour = 0; hour < 4; hour += 1) {
      await passMailTime(service, 3_601)
      counts.push(await askOften())
    }
    expect(counts).toEqual([6, 9, 10, 10])
    await passMailTime(service, 86_400)
    expect(await askOften()).toBe(13)
  })

  test('handles at most ten requests an hour of one network', async () => {
    const client = newClient(service)
    const people = await Promise.all(Array.from({ length: 11 }, () => service.person()))
    for (const { email } of people) expect((await ask(email, client)).status).toBe(202)
    await work.run()
    const reached = people.filter(({ email }) => server.received.some(({ to }) => to.includes(email)))
    expect(reached.map(({ email }) => email)).toEqual(people.slice(0, 10).map(({ email }) => email))
  })

  test('mails a link that still requires the second factor', async () => {
    const person = await service.person()
    await enrol(service, person.token, { password: person.password })
    await ask(person.email)
    const [received] = await linksTo(person.email)
    if (!received) throw new Error('no mail arrived')
    expect(problemOf(await complete(tokenIn(received)))).toEqual({ status: 403, code: 'factor_required' })
  })

  test('gives the owner of the mailbox an account that someone else created with the email, without that person’s factor and identity', async () => {
    const squatted = await unproved()
    await enrol(service, squatted.token, { password: squatted.password })
    await service.sql(`insert into identity values ('https://id.example.com', 'stranger', $1)`, [squatted.id])
    await ask(squatted.email)
    const [received] = await linksTo(squatted.email)
    if (!received) throw new Error('no mail arrived')
    const inspected = await newClient(service).post('/auth/links/inspect', { token: tokenIn(received) })
    expect(inspected.body).toMatchObject({ needsFactor: false })
    expect((await complete(tokenIn(received))).status).toBe(200)
    tokensOf(await newClient(service).signIn(squatted.email, newPassword))
    expect(problemOf(await service.get('/api/v1/user/data', { token: squatted.token })).code).toBe('session_ended')
    expect(await service.sql(`select email_proved_by from account where id = $1`, [squatted.id])).toEqual([
      { email_proved_by: 'link' },
    ])
    expect(await service.sql(`select issuer from identity where account_id = $1`, [squatted.id])).toHaveLength(1)
    expect(await service.sql(`select from factor where account_id = $1`, [squatted.id])).toEqual([])
  })

  test('is among the `ways` of a rate-limited sign-in', async () => {
    const person = await service.person()
    const guesser = newClient(service)
    for (let n = 0; n < 10; n += 1) await guesser.signIn(person.email, 'a guess of a stranger')
    const waiting = await guesser.signIn(person.email, 'a guess of a stranger')
    expect(waiting.body).toMatchObject({ code: 'sign_in_wait', ways: ['known_device', 'second_factor', 'recovery'] })
  })

  test.each([
    ['no body member', {}],
    ['a number', { email: 7 }],
    ['a list of two addresses', { email: ['a@b.example', 'c@d.example'] }],
    ['two addresses in one text', { email: 'a@b.example, c@d.example' }],
    ['a line break', { email: 'a@b.example\r\nBcc: c@d.example' }],
    ['a quoted local part', { email: '"a@b.example"@d.example' }],
    ['255 characters', { email: `${'a'.repeat(60)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}.example` }],
    ['an unknown member', { email: 'a@b.example', redirectTo: 'https://attacker.example' }],
  ])('returns 400 input_invalid for %s', async (_, body) => {
    const answer = await newClient(service).post('/auth/recovery', body)
    expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
  })

  // 254 would be the longest of all (RFC 5321 §4.5.3.1.3), which the test server does not accept.
  test('sends one mail to an email of 253 characters', async () => {
    const person = await service.person()
    const email = `${'a'.repeat(60)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(59)}.example`.slice(0, 253)
    await service.sql('update credential set email = $2 where account_id = $1', [person.id, email])
    expect((await ask(email)).status).toBe(202)
    expect((await mailsTo(email)).map(({ to }) => to)).toEqual([[email]])
  })
})

describe('without a mail server', () => {
  test('POST /auth/recovery returns 409 mail_unconfigured and writes nothing', async () => {
    const silent = await startIssuer()
    onTestFinished(() => silent.stop())
    const person = await silent.person()
    const answer = await newClient(silent).post('/auth/recovery', { email: person.email })
    expect(problemOf(answer)).toEqual({ status: 409, code: 'mail_unconfigured' })
    expect(answer.body).toMatchObject({ detail: 'Ask an administrator for a link.' })
    expect(await silent.sql('select from mail_request')).toEqual([])
  })
})

describe('a recovery link that an administrator requests', () => {
  const give = ({ id }: { readonly id: string }, body: object = {}) =>
    service.call('POST', `/api/v1/admin/users/${id}/recovery`, {
      token: admin.token,
      headers: { 'if-match': '*', 'x-forwarded-host': 'attacker.example' },
      body,
    })

  test('is mailed to the owner with 202 and not shown to the administrator', async () => {
    const person = await service.person()
    await enrol(service, person.token, { password: person.password })
    const answer = await give(person, { resetFactors: true })
    expect([answer.status, answer.body]).toEqual([202, {}])
    const [received] = await linksTo(person.email)
    if (!received) throw new Error('no mail arrived')
    expect(received.mail.text).not.toContain('attacker')
    expect((await complete(tokenIn(received))).status).toBe(200)
    expect(await service.sql('select from factor where account_id = $1', [person.id])).toEqual([])
  })

  test('is not mailed to an unverified email: 409 email_unproved', async () => {
    const person = await unproved()
    expect(problemOf(await give(person))).toEqual({ status: 409, code: 'email_unproved' })
    expect(await mailsTo(person.email)).toEqual([])
  })
})

test('the token of a mailed link is in no log line, metric, problem, response or table', async () => {
  const person = await service.person()
  const answers = [await ask(person.email)]
  const everything = () =>
    Promise.all(
      ['mail_outbox', 'mail_request', 'account_link', 'audit_event', 'mail_hour'].map((table) =>
        service.sql(`select coalesce(string_agg(t::text, ''), '') as text from ${table} t`),
      ),
    )
  // Makes the link, and stops before it sends it.
  await work.run(AbortSignal.abort())
  const waiting = await everything()
  expect(waiting[0]).not.toEqual([{ text: '' }])
  expect(JSON.stringify(waiting)).not.toContain(Buffer.from(person.email).toString('hex'))
  const [received] = await linksTo(person.email)
  if (!received) throw new Error('no mail arrived')
  const token = tokenIn(received)
  answers.push(
    await complete(token, { newPassword: 'password1' }),
    await service.get('/metrics', { token: 'a-token-of-the-monitoring' }),
    await complete(token),
  )
  const places = [
    await service.logged(),
    JSON.stringify(waiting),
    JSON.stringify(await everything()),
    ...answers.map(({ text }) => text),
  ]
  for (const place of places) {
    expect(place).not.toContain(token.slice('mlk_'.length))
    expect(place).not.toContain(Buffer.from(token).toString('hex'))
  }
  expect(await service.logged()).not.toContain(person.email)
  expect(answers[2]?.text).toMatch(/^muster_mails\{state="waiting"\} 0$/m)
})
