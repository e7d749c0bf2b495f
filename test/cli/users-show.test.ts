import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Service } from '../support/service.ts'
import { enrol, newClient, startIssuer } from '../support/test-client.ts'
import { runMuster } from './run-muster.ts'

const elsewhere = 'https://project.supabase.example/auth/v1'
const publicUrl = 'http://muster.test'
const env = { MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64') }

let service: Service
beforeAll(async () => {
  service = await startIssuer({ env })
})
afterAll(() => service.stop())

const show = (...args: string[]) =>
  runMuster(['users', 'show', ...args], {
    env: { DATABASE_URL: service.fresh.url, MUSTER_PUBLIC_URL: publicUrl, ...env },
  })

/** Other issuers choose their subjects. */
const subjectOf = (id: string) => `sub\u001b[31m of ${id}`

/** A user with an organization, a second identity, a second factor and a rate limit. */
async function fullUser() {
  const person = await service.person()
  const factor = await enrol(service, person.token, { password: person.password })
  await service.sql(`with org as (insert into organization (name) values ('Analytical Engines') returning id)
    insert into membership (organization_id, account_id, role_id) select id, '${person.id}', 'owner' from org`)
  await service.sql('insert into identity (issuer, subject, account_id) values ($1, $2, $3)', [
    elsewhere,
    subjectOf(person.id),
    person.id,
  ])
  await service.sql(`update session set address = '192.0.2.7', user_agent = 'curl/8' where account_id = $1`, [
    person.id,
  ])
  const guesser = newClient(service)
  for (let n = 0; n < 11; n += 1) await guesser.signIn(person.email, 'a guess of a stranger')
  return { ...person, factor }
}

test('users show --json has the same members as the API, and no secret', async () => {
  const { id, email, token, password, factor } = await fullUser()
  const admin = await service.person({ role: 'admin' })
  const read = async (path: string) =>
    Object((await service.get(`/api/v1/admin/users/${id}${path}`, { token: admin.token })).body)
  const { code, stdout, stderr } = await show(email, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { signInWaits, ...shown } = JSON.parse(stdout)
  const { signInWaits: wanted, ...user } = await read('')
  const others = await Promise.all(['/sessions', '/factors', '/subscriptions'].map(read))
  expect(shown).toEqual(Object.assign({}, user, ...others))
  expect(signInWaits.map(({ scope }: { scope: string }) => scope)).toEqual(
    wanted.map(({ scope }: { scope: string }) => scope),
  )
  expect(shown).toMatchObject({
    id,
    email,
    orgs: [{ name: 'Analytical Engines', role: 'owner' }],
    identities: [
      { issuer: elsewhere, subject: subjectOf(id) },
      { issuer: publicUrl, subject: id },
    ],
    factors: [{ id: factor.id, kind: 'totp' }],
  })
  for (const secret of [token, password, factor.secret, ...factor.recoveryCodes]) expect(stdout).not.toContain(secret)
})

test('users show finds a user by ID, by email and by each identity', async () => {
  const { id, email } = await fullUser()
  const identities = [
    [elsewhere, subjectOf(id)],
    [publicUrl, id],
    ['urn:muster:issuer', id],
  ] as const
  const ways = [[id], [email], ...identities.map(([issuer, subject]) => ['--issuer', issuer, '--subject', subject])]
  for (const way of ways) expect(JSON.parse((await show(...way, '--json')).stdout), way.join(' ')).toMatchObject({ id })
})

test('users show prints one line for each fact, and no control character', async () => {
  const { id, email } = await fullUser()
  const { code, stdout } = await show(id)
  expect(code).toBe(0)
  const lines = stdout.trimEnd().split('\n')
  for (const line of [
    new RegExp(`^ID +${id}$`),
    new RegExp(`^email +${email} \\(verified\\)$`),
    /^role +user$/,
    /^status +active$/,
    /^organization +Analytical Engines \(owner, [0-9a-f-]{36}\)$/,
    new RegExp(`^identity +sub\\ufffd\\[31m of ${id} at ${elsewhere}$`),
    new RegExp(`^identity +${id} at ${publicUrl}$`),
    /^second factor +totp Phone, added 20.*Z$/,
    /^session +20.*Z, last used 20.*Z, from 192\.0\.2\.7, curl\/8$/,
    /^rate limit +unknown_devices, until 20.*Z$/,
  ])
    expect(
      lines.filter((text) => line.test(text)),
      String(line),
    ).toHaveLength(1)
})

test('users show rejects an unknown user and an incomplete name with one sentence', async () => {
  const usage = 'Name the user by email or ID, or by --issuer and --subject.\n'
  for (const [args, sentence] of [
    [['nobody@example.com'], 'No user has the email or ID nobody@example.com.\n'],
    [['--issuer', elsewhere, '--subject', 'nobody'], 'No user of this issuer has this subject.\n'],
    [[], usage],
    [['--issuer', elsewhere], usage],
    [['--subject', 'x'], usage],
    [['ada@example.com', '--issuer', elsewhere, '--subject', 'x'], usage],
  ] as const)
    expect(await show(...args)).toMatchObject({ code: 1, stdout: '', stderr: sentence })
})
