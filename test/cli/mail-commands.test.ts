import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runChecks } from '../../cli/commands/doctor.ts'
import { readProviders } from '../../key-check/engine/catalogue.ts'
import { makeDataDir } from '../support/data-dir.ts'
import { mailServerForTest, mailSettings, startMailServer } from '../support/mail-server.ts'
import { reusedDatabase } from '../support/reused-database.ts'
import { untrustedCert, untrustedKey } from '../support/untrusted-tls.ts'
import { runMuster, spawnMuster } from './run-muster.ts'

async function settings(): Promise<Record<string, string>> {
  const fresh = await reusedDatabase()
  onTestFinished(() => fresh.drop())
  await fresh.sql(`insert into account (role_id) values ('admin')`)
  await fresh.sql(`
    insert into mail_outbox (id, kind, given_up_at, expires_at, fault)
    select gen_random_uuid(), 'recovery', now(), now(), 'EENVELOPE 550' from generate_series(1, 2)`)
  await fresh.sql(`
    insert into mail_outbox (id, kind, sealed, expires_at, created_at, fault)
    select gen_random_uuid(), 'verify', 'x', now() + interval '1 hour', now() - interval '10 minutes', fault
    from unnest(array['ESOCKET', null]) fault`)
  return { DATABASE_URL: fresh.url, MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64') }
}

/** Where nothing listens any more. */
async function nowhere(): Promise<Readonly<Record<string, string>>> {
  const server = await startMailServer()
  await server.stop()
  return mailSettings({ url: server.url.replace('smtp://', 'smtp://ada:secret-word@') })
}

test('mail status counts queued and failed mail, and shows the server without its password', async () => {
  const env = { ...(await settings()), ...(await nowhere()) }
  const { code, stdout } = await runMuster(['mail', 'status'], { env })
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^server +smtp:\/\/127\.0\.0\.1:\d+\nqueued +2, the oldest for 6\d\d s\n {2}verify +1, ESOCKET\nsent /,
  )
  expect(stdout).toMatch(/failed in 7 days +2\n {2}recovery +2, EENVELOPE 550\n$/)
  expect(stdout).not.toContain('secret-word')
  const json = await runMuster(['mail', 'status', '--json'], { env })
  expect(JSON.parse(json.stdout)).toMatchObject({
    waiting: 2,
    retried: [{ kind: 'verify', fault: 'ESOCKET', mails: 1 }],
    givenUp: [{ kind: 'recovery', fault: 'EENVELOPE 550', mails: 2 }],
  })
})

test('mail test sends in the requested language, and fails without a server, for a malformed email and if the server rejects the mail', async () => {
  const server = await mailServerForTest()
  const env = { MUSTER_ENCRYPTION_KEY: 'unused', ...mailSettings(server) }
  const { MUSTER_ENCRYPTION_KEY: _, ...mail } = env
  const sent = await runMuster(['mail', 'test', 'ada@example.com', '--language', 'de'], { env: mail })
  expect(sent).toEqual({ code: 0, stdout: `${server.url} accepted the mail to ada@example.com.\n`, stderr: '' })
  expect(server.received.map(({ mail }) => mail.subject)).toEqual(['Testmail von localhost:4600'])
  for (const [args, options, reason] of [
    [['ada@example.com'], {}, 'The service sends no mail. Set MUSTER_SMTP_URL.'],
    [['ada@example.com, eve@example.com'], mail, 'must be an email address'],
    [['ada@example.com', '--language', 'fr'], mail, '--language must be one of: en, de'],
    [['ada@example.com'], await nowhere(), 'did not accept the mail (ESOCKET)'],
  ] as const) {
    const { code, stderr } = await runMuster(['mail', 'test', ...args], { env: options })
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason)])
    expect(stderr).not.toContain('secret-word')
  }
})

test('mail test uses STARTTLS only with a trusted certificate', async () => {
  const server = await mailServerForTest({ disabledCommands: [], key: untrustedKey, cert: untrustedCert })
  const folder = await makeDataDir()
  onTestFinished(folder.remove)
  const authority = join(folder.path, 'authority.pem')
  writeFileSync(authority, untrustedCert)
  // What is required without MUSTER_SMTP_TLS.
  const { MUSTER_SMTP_TLS: _, ...env } = mailSettings(server)
  const send = (more: object) => spawnMuster(['mail', 'test', 'ada@example.com'], { env: { ...env, ...more } })
  expect(await send({ NODE_EXTRA_CA_CERTS: authority })).toEqual({
    code: 0,
    stdout: `${server.url} accepted the mail to ada@example.com.\n`,
    stderr: '',
  })
  expect(server.received).toMatchObject([{ to: ['ada@example.com'], isSecure: true }])
  expect(await send({})).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('did not accept the mail (ESOCKET)'),
  })
  expect(server.received).toHaveLength(1)
})

test('doctor accepts a reachable mail server, fails for an unreachable one, and warns of old and failed mail', async () => {
  const server = await mailServerForTest()
  const ids = [...(await readProviders()).keys()].map(
    (id) => `MUSTER_PROVIDER_${id.toUpperCase().replaceAll('-', '_')}_URL`,
  )
  const env = { ...(await settings()), ...Object.fromEntries(ids.map((id) => [id, 'http://127.0.0.1:9'])) }
  const findings = async (more: Readonly<Record<string, string>>) => {
    const found: string[] = []
    for await (const { level, about, message } of runChecks({ ...env, ...more, MUSTER_PORT: '0' }))
      if (about === 'mail') found.push(`${level}: ${message}`)
    return found
  }
  const outbox = [
    'warn: Could not deliver 2 emails in the last 7 days. Details: muster mail status',
    'warn: The oldest email has been in the queue for 10 minutes. Details: muster mail status',
  ]
  expect(await findings(mailSettings(server))).toEqual([
    ...outbox,
    `ok: ${server.url} accepts mail. Send a test: muster mail test <address>`,
  ])
  expect(server.received).toEqual([])
  const [, , unreachable = ''] = await findings(await nowhere())
  expect(unreachable).toMatch(/^fail: smtp:\/\/127\.0\.0\.1:\d+ does not accept mail \(ESOCKET\)/)
})
