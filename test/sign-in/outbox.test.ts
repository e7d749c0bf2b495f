import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { readMailStatus } from '../../src/platform/mail/mail-status.ts'
import { mailContext } from '../../src/platform/mail/outbox.ts'
import { createEncryption, reencryptSecrets } from '../../src/sign-in/keys/encryption.ts'
import { handleMailRequests } from '../../src/sign-in/links/mail-requests.ts'
import { type MailWork, openMailWork } from '../../src/sign-in/open-issuer.ts'
import { mailServerForTest, mailSettings, passMailTime } from '../support/mail-server.ts'
import type { Service } from '../support/service.ts'
import { newClient, startIssuer } from '../support/test-client.ts'
import { untrustedCert, untrustedKey } from '../support/untrusted-tls.ts'

let service: Service
/** Nothing listens on port 1. A port of a stopped server may soon be used by another test. */
const nowhere = 'smtp://127.0.0.1:1'
beforeAll(async () => {
  service = await startIssuer({ env: mailSettings({ url: nowhere }) })
})
afterAll(() => service.stop())
beforeEach(async () => {
  for (const table of ['mail_outbox', 'mail_request', 'mail_hour']) await service.sql(`delete from ${table}`)
})

/** One node, with the mail server of the test. */
async function workWith(settings: Readonly<Record<string, string>>): Promise<MailWork> {
  const config = readConfig({ DATABASE_URL: service.fresh.url, MUSTER_ENCRYPTION_KEY: 'A'.repeat(43), ...settings })
  const { issuer, log } = service.parts
  if (!issuer || !config.mail) throw new Error('the service sends no mail')
  const work = await openMailWork(issuer, config.mail, { log })
  onTestFinished(() => work.close())
  return work
}

async function askFor(email: string): Promise<void> {
  expect((await newClient(service).post('/auth/recovery', { email })).status).toBe(202)
}

/** The rows of the outbox of one account. */
const rowsOf = (id: string) =>
  service.sql(
    `select tries, fault, given_up_at is not null as "isGivenUp", sealed is null as "isEmpty",
            case when given_up_at is null then round(extract(epoch from next_at - now()) / 60)::int end as minutes
     from mail_outbox where account_id = $1`,
    [id],
  )

describe('a mail server that', () => {
  test('is down: retries after 1, 5 and 15 minutes, and sends when it is back', async () => {
    const person = await service.person()
    await askFor(person.email)
    const down = await workWith(mailSettings({ url: nowhere }))
    const seen: unknown[] = []
    for (const minutes of [0, 1, 5]) {
      await passMailTime(service, minutes * 60)
      await down.run()
      seen.push(...(await rowsOf(person.id)))
    }
    const waits = { fault: 'ESOCKET', isGivenUp: false, isEmpty: false }
    expect(seen).toEqual([
      { ...waits, tries: 1, minutes: 1 },
      { ...waits, tries: 2, minutes: 5 },
      { ...waits, tries: 3, minutes: 15 },
    ])
    const server = await mailServerForTest()
    await passMailTime(service, 15 * 60)
    await (await workWith(mailSettings(server))).run()
    expect(server.received.map(({ to }) => to)).toEqual([[person.email]])
    expect(await rowsOf(person.id)).toEqual([])
  })

  test('is down until the link has expired: gives up, empties and counts the mail, and never sends it', async () => {
    const person = await service.person()
    await askFor(person.email)
    await (await workWith(mailSettings({ url: nowhere }))).run()
    await passMailTime(service, 1_800)
    const server = await mailServerForTest()
    await (await workWith(mailSettings(server))).run()
    expect(server.received).toEqual([])
    expect(await rowsOf(person.id)).toEqual([
      { tries: 1, fault: 'ESOCKET', isGivenUp: true, isEmpty: true, minutes: null },
    ])
    expect((await readMailStatus(service.database)).givenUp).toContainEqual({
      kind: 'recovery',
      fault: 'ESOCKET',
      mails: 1,
    })
    await service.sql(`update mail_outbox set given_up_at = now() - interval '8 days'`)
    await (await workWith(mailSettings(server))).run()
    expect(await rowsOf(person.id)).toEqual([])
  })

  test('rejects the recipient: gives up after a permanent error, retries after a temporary one', async () => {
    const answers = [450, 550]
    const refusing = await mailServerForTest({
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error('no such mailbox, ada@example.com'), { responseCode: answers.shift() })),
    })
    const person = await service.person()
    await askFor(person.email)
    const work = await workWith(mailSettings(refusing))
    await work.run()
    expect(await rowsOf(person.id)).toMatchObject([{ fault: 'EENVELOPE 450', isGivenUp: false }])
    await passMailTime(service, 60)
    await work.run()
    expect(await rowsOf(person.id)).toMatchObject([{ fault: 'EENVELOPE 550', isGivenUp: true, isEmpty: true }])
    expect(await service.logged()).not.toContain('no such mailbox')
  })

  test('has no STARTTLS: sends nothing in clear text unless the setting allows it', async () => {
    const server = await mailServerForTest()
    const person = await service.person()
    await askFor(person.email)
    await (await workWith({ ...mailSettings(server), MUSTER_SMTP_TLS: 'required' })).run()
    expect(await rowsOf(person.id)).toMatchObject([{ fault: 'ETLS 500', isGivenUp: false }])
    expect(server.received).toEqual([])
    await passMailTime(service, 60)
    await (await workWith({ ...mailSettings(server), MUSTER_SMTP_TLS: 'opportunistic' })).run()
    expect(server.received.map(({ isSecure }) => isSecure)).toEqual([false])
  })

  test('has an untrusted certificate: sends nothing if TLS is required, otherwise sends encrypted', async () => {
    const server = await mailServerForTest({ disabledCommands: [], key: untrustedKey, cert: untrustedCert })
    const person = await service.person()
    await askFor(person.email)
    await (await workWith({ ...mailSettings(server), MUSTER_SMTP_TLS: 'required' })).run()
    expect(await rowsOf(person.id)).toMatchObject([{ fault: 'ESOCKET', isGivenUp: false }])
    expect(server.received).toEqual([])
    const { waiting, retried } = await readMailStatus(service.database)
    expect({ waiting, retried }).toEqual({ waiting: 1, retried: [{ kind: 'recovery', fault: 'ESOCKET', mails: 1 }] })
    await passMailTime(service, 60)
    await (await workWith({ ...mailSettings(server), MUSTER_SMTP_TLS: 'opportunistic' })).run()
    expect(server.received.map(({ isSecure }) => isSecure)).toEqual([true])
  })

  test('rejects the password: retries, because an operator can correct the setting', async () => {
    const server = await mailServerForTest({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('wrong')),
    })
    const person = await service.person()
    await askFor(person.email)
    const url = server.url.replace('smtp://', 'smtp://muster:a-wrong-password@')
    await (await workWith(mailSettings({ url }))).run()
    expect(await rowsOf(person.id)).toMatchObject([{ fault: 'EAUTH 535', isGivenUp: false }])
    expect(await service.logged()).not.toContain('a-wrong-password')
  })
})

test('no request waits for a slow mail server', async () => {
  let release: (() => void) | undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow = await mailServerForTest({ onMailFrom: (_address, _session, done) => void held.then(() => done()) })
  const person = await service.person()
  await askFor(person.email)
  const running = (await workWith(mailSettings(slow))).run()
  await askFor(person.email)
  expect((await newClient(service).signIn(person.email, person.password)).status).toBe(200)
  expect(slow.received).toEqual([])
  release?.()
  await running
  expect(slow.received.length).toBeGreaterThan(0)
})

test('only one of three nodes sends each mail and handles each request', async () => {
  const server = await mailServerForTest()
  const people = await Promise.all(Array.from({ length: 12 }, () => service.person()))
  for (const { email } of people) await askFor(email)
  const nodes = await Promise.all([1, 2, 3].map(() => workWith(mailSettings(server))))
  await Promise.all(nodes.map((node) => node.run()))
  await nodes[0]?.run()
  const reached = server.received.flatMap(({ to }) => to)
  expect(reached.sort()).toEqual(people.map(({ email }) => email).sort())
})

test('another node sends the mails of a killed node after two minutes', async () => {
  const server = await mailServerForTest()
  const person = await service.person()
  await askFor(person.email)
  await (await workWith({ ...mailSettings({ url: nowhere }), MUSTER_MAILS_PER_HOUR: '1' })).run()
  // Simulates a node that was killed before it knew whether the mail was sent.
  await service.sql(
    `update mail_outbox set tries = 1, next_at = now() + interval '2 minutes', fault = null where account_id = $1`,
    [person.id],
  )
  const other = await workWith(mailSettings(server))
  await other.run()
  expect(server.received).toEqual([])
  await passMailTime(service, 120)
  await other.run()
  expect(server.received.map(({ to }) => to)).toEqual([[person.email]])
})

test('the hourly mail limit applies to all nodes together, and the rest is sent in the next hour', async () => {
  const server = await mailServerForTest()
  const people = await Promise.all([1, 2, 3, 4].map(() => service.person()))
  for (const { email } of people) await askFor(email)
  const limited = { ...mailSettings(server), MUSTER_MAILS_PER_HOUR: '3' }
  const nodes = [await workWith(limited), await workWith(limited)]
  for (const node of nodes) await node.run()
  expect(server.received).toHaveLength(3)
  await service.sql(`update mail_hour set hour = hour - interval '1 hour'`)
  for (const node of nodes) await node.run()
  expect(server.received).toHaveLength(4)
  expect((await readMailStatus(service.database)).sent).toBe(4)
})

test('after a change of the encryption key, queued mails can be sent without the previous key', async () => {
  const own = await startIssuer({ env: mailSettings({ url: nowhere }) })
  onTestFinished(() => own.stop())
  const { issuer } = own.parts
  if (!issuer) throw new Error('no issuer')
  const person = await own.person()
  await newClient(own).post('/auth/recovery', { email: person.email })
  await handleMailRequests(issuer)
  const next = createEncryption([Buffer.alloc(32, 7)])
  await reencryptSecrets(own.database, { ...next, decrypt: issuer.encryption.decrypt })
  const [row] = await own.sql<{ id: string; sealed: Buffer }>('select id, sealed from mail_outbox')
  if (!row) throw new Error('no mail waits')
  expect(next.decrypt(row.sealed, mailContext(row.id)).toString()).toContain(person.email)
})
