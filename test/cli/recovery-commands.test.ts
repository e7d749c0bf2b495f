import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemOf } from '../support/problem.ts'
import { type Service, testInProcess } from '../support/service.ts'
import { codeAt, enrol, laterCode, newClient, startIssuer, tokensOf } from '../support/test-client.ts'
import { runMuster } from './run-muster.ts'

const key = randomBytes(32).toString('base64')
let service: Service
beforeAll(async () => {
  service = await startIssuer({ env: { MUSTER_ENCRYPTION_KEY: key } })
})
afterAll(() => service.stop())

const muster = (command: string, env: Record<string, string> = {}) =>
  runMuster(command.split(' '), {
    env: { DATABASE_URL: service.fresh.url, MUSTER_ENCRYPTION_KEY: key, ...env },
  })

const newPassword = 'seventeen small turtles'
const tokenIn = (link: string) => String(new URLSearchParams(new URL(link).hash.slice(1)).get('token'))
const complete = (token: string) => newClient(service).post('/auth/recovery/complete', { token, newPassword })

async function eventsOf(id: string): Promise<unknown[]> {
  const rows = await service.sql<{ action: string; operator: string | null }>(
    `select action, operator from audit_event where target_id = $1 and operator is not null order by at, id`,
    [id],
  )
  return rows.map(({ action }) => action)
}

test('users recover prints a link with which the user chooses a password, and writes it to the audit log', async () => {
  const person = await service.person()
  const made = await muster(`users recover ${person.email}`, { MUSTER_LINK_URL: 'https://app.example.com/link' })
  expect(made.code).toBe(0)
  expect(made.stdout).toMatch(/^https:\/\/app\.example\.com\/link#token=mlk_[\w-]{43}&purpose=recovery\n$/)
  expect(made.stderr).toMatch(/^The link works once, until .*Z\./)
  expect(made.stderr).not.toContain('mlk_')
  expect((await complete(tokenIn(made.stdout.trim()))).status).toBe(200)
  tokensOf(await newClient(service).signIn(person.email, newPassword))
  expect(await eventsOf(person.id)).toEqual(['recovery.link_created'])
})

test('users recover --reset-factors creates a link that needs no second factor; --expires sets its lifetime', async () => {
  const person = await service.person()
  await enrol(service, person.token, { password: person.password })
  const { stdout } = await muster(`users recover ${person.id} --reset-factors --expires 2h --json`)
  const { link, expiresAt } = JSON.parse(stdout)
  const hours = (Date.parse(expiresAt) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(1.9)
  expect(hours).toBeLessThanOrEqual(2)
  expect((await complete(tokenIn(link))).status).toBe(200)
  tokensOf(await newClient(service).signIn(person.email, newPassword))
})

testInProcess('users unlock clears the rate limit for wrong passwords and codes', async () => {
  const person = await service.person()
  const factor = await enrol(service, person.token, { password: person.password })
  laterCode(service)
  const guesser = newClient(service)
  for (let n = 0; n < 11; n += 1) await guesser.signIn(person.email, 'a guess of a stranger')
  const wait = await newClient(service).signIn(person.email, person.password)
  expect(problemOf(wait).code).toBe('sign_in_wait')
  await service.sql('update sign_in_bucket set failures = 100')

  expect(await muster(`users unlock ${person.email}`)).toMatchObject({
    code: 0,
    stdout: `${person.email} can try to sign in again.\n`,
  })
  const code = codeAt(factor.secret, service.clock.now())
  tokensOf(await newClient(service).signIn(person.email, person.password, { factorId: factor.id, code }))
  expect(await eventsOf(person.id)).toEqual(['account.unlocked'])
})

test('users set-email changes the email of a user, and rejects the email of another user', async () => {
  const [person, other] = [await service.person(), await service.person()]
  const email = `new-${person.email}`
  await service.sql('update account set email_trusted = true where id = $1', [person.id])
  expect(await muster(`users set-email ${person.email} ${email.toUpperCase()}`)).toMatchObject({
    code: 0,
    stdout: `${person.email} now signs in with ${email}.\n`,
  })
  tokensOf(await newClient(service).signIn(email, person.password))
  expect((await newClient(service).signIn(person.email, person.password)).status).toBe(401)
  const shown = await service.sql('select email, email_trusted from account where id = $1', [person.id])
  expect(shown).toEqual([{ email, email_trusted: false }])
  for (const [command, sentence] of [
    [`users set-email ${person.id} ${other.email}`, `Another user signs in with ${other.email}.\n`],
    [`users set-email ${person.id} nobody`, '"nobody" must be an email address.\n'],
  ])
    expect(await muster(String(command))).toMatchObject({ code: 1, stdout: '', stderr: sentence })
  expect(await eventsOf(person.id)).toEqual(['account.email_changed'])
})

test('users reset-factors removes all second factors, keeps the password and ends the sessions', async () => {
  const person = await service.person()
  await enrol(service, person.token, { password: person.password })
  expect((await muster(`users reset-factors ${person.email}`)).code).toBe(0)
  expect(problemOf(await service.get('/api/v1/user/data', { token: person.token })).code).toBe('session_ended')
  tokensOf(await newClient(service).signIn(person.email, person.password))
  expect(await eventsOf(person.id)).toEqual(['factors.reset'])
})

test('recovery commands reject an unknown user, a user of another issuer and a wrong time with one sentence', async () => {
  const { email } = await service.person()
  const [row] = await service.sql<{ id: string }>(`insert into account default values returning id`)
  for (const [command, sentence] of [
    ['users recover nobody@example.com', /^No user has the email or ID nobody@example\.com\.\n$/],
    [`users recover ${row?.id}`, /^The account signs in with another issuer\. Recover it there\.\n$/],
    [`users set-email ${row?.id} new@example.com`, /^The account signs in with another issuer\. .*\n$/],
    [`users recover ${email} --expires 8d`, /^--expires must be from 1h to 7d, such as 24h, not "8d"\.\n$/],
    [`users recover ${email} --expires 0h`, /^--expires must be from 1h to 7d/],
  ] as const) {
    const { code, stdout, stderr } = await muster(command)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(sentence)
  }
})

test('users set-email --proved verifies the email and takes it from an account where it is unverified, but not where it is verified', async () => {
  const [person, squatter, owner] = [await service.person(), await service.person(), await service.person()]
  const shown = () =>
    service.sql(
      `select a.email, c.email as "signsInWith", a.email_proved_by as "provedBy"
       from unnest($1::uuid[]) with ordinality w (id, place)
       join account a using (id) left join credential c on c.account_id = a.id order by w.place`,
      [[person.id, squatter.id, owner.id]],
    )
  await service.sql('update account set email_proved_at = null, email_proved_by = null where id = $1', [squatter.id])
  // Who the address without a proof belongs to, nobody knows.
  const byUnproved = await muster(`users set-email ${squatter.email} other-${squatter.email} --proved`)
  expect(byUnproved).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `The email ${squatter.email} is not verified. Use the ID, or add --unproved.\n`,
  })
  expect((await muster(`users set-email ${person.id} ${squatter.email} --proved`)).code).toBe(0)
  const after = [
    { email: squatter.email, signsInWith: squatter.email, provedBy: 'operator' },
    { email: null, signsInWith: null, provedBy: null },
    { email: owner.email, signsInWith: owner.email, provedBy: 'operator' },
  ]
  expect(await shown()).toEqual(after)
  expect(problemOf(await service.get('/api/v1/user/data', { token: squatter.token })).code).toBe('session_ended')
  tokensOf(await newClient(service).signIn(squatter.email, person.password))
  expect(await muster(`users set-email ${person.id} ${owner.email} --proved`)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `Another user has the verified email ${owner.email}.\n`,
  })
  expect(await shown()).toEqual(after)
  expect(await eventsOf(person.id)).toEqual(['account.email_changed'])
  expect(await eventsOf(owner.id)).toEqual([])
})
