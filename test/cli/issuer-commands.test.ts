import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../support/problem.ts'
import type { Service } from '../support/service.ts'
import { enrol, newClient, startIssuer } from '../support/test-client.ts'
import { runMuster } from './run-muster.ts'

const key = randomBytes(32).toString('base64')
let service: Service
beforeAll(async () => {
  service = await startIssuer({ env: { MUSTER_SIGN_UP: 'invitation', MUSTER_ENCRYPTION_KEY: key } })
})
afterAll(() => service.stop())

const muster = (command: string, env: Record<string, string> = {}) =>
  runMuster(command.split(' '), {
    env: { DATABASE_URL: service.fresh.url, MUSTER_ENCRYPTION_KEY: key, MUSTER_SIGN_UP: 'invitation', ...env },
  })

/** As the release before the proofs of addresses, and as open sign-up. */
async function stranger(email: string, password: string): Promise<string> {
  await service.person({ email, password })
  const [row] = await service.sql<{ id: string }>(
    `update account set email_proved_at = null, email_proved_by = null where email = $1 returning id`,
    [email],
  )
  return String(row?.id)
}

describe('an unverified email', () => {
  test('gets no role and no membership, unless the operator uses the ID or --unproved', async () => {
    const email = 'cfo@corp.example'
    const id = await stranger(email, 'a stranger typed it')
    await muster('orgs create Corp')
    const sentence = `The email ${email} is not verified. Use the ID, or add --unproved.\n`
    const refused = { code: 1, stdout: '', stderr: sentence }
    expect(await muster(`users set-role ${email} admin`)).toEqual(refused)
    expect(await muster(`orgs add-member Corp ${email} --role owner`)).toEqual(refused)
    expect(await muster(`orgs set-role Corp ${email} owner`)).toEqual(refused)
    expect(await muster(`users recover ${email}`)).toEqual(refused)
    const roles = await service.sql('select role_id from account where id = $1', [id])
    expect(roles).toEqual([{ role_id: 'user' }])
    expect(await muster(`orgs add-member Corp ${email} --unproved`)).toMatchObject({ code: 0 })
    expect(await muster(`orgs set-role Corp ${email} owner --unproved`)).toMatchObject({ code: 0 })
    expect(await muster(`users set-role ${id} user`)).toMatchObject({ code: 0 })
    const listed = (await muster('users list --json')).stdout.split('\n').filter((line) => line.includes(id))
    expect(JSON.parse(String(listed[0]))).toMatchObject({ email, emailProved: false })
  })

  test('moves to its owner with users invite --proved, and set-role then finds the owner', async () => {
    const email = 'ceo@corp.example'
    const before = await stranger(email, 'a stranger typed it')
    const plain = await muster(`users invite --email ${email} --role admin`)
    expect(plain).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--proved') })
    const { stdout } = await muster(`users invite --email ${email} --proved`)
    const body = { email, password: 'a pony in the attic', invitation: stdout.trim() }
    expect((await newClient(service).post('/auth/sign-up', body)).status).toBe(201)
    expect(await muster(`users set-role ${email} admin`)).toMatchObject({ code: 0 })
    const found = await service.sql(
      'select id = $1 as old, email, role_id from account where id = $1 or email = $2 order by 1',
      [before, email],
    )
    expect(found).toEqual([
      { old: false, email, role_id: 'admin' },
      { old: true, email: null, role_id: 'user' },
    ])
  })
})

describe('users invite', () => {
  test('prints an invitation with which its email can sign up, with the role', async () => {
    const { code, stdout } = await muster('users invite --email Grace@example.com --role admin --json')
    expect(code).toBe(0)
    const { invitation, ...rest } = JSON.parse(stdout)
    expect(rest).toEqual({ email: 'grace@example.com', role: 'admin', expiresAt: expect.stringMatching(/Z$/) })
    const body = { email: 'grace@example.com', password: 'a pony in the attic', invitation }
    expect((await newClient(service).post('/auth/sign-up', body)).status).toBe(201)
  })

  test('warns if sign-up is closed', async () => {
    const { stderr } = await muster('users invite --email later@example.com', { MUSTER_SIGN_UP: 'closed' })
    expect(stderr).toContain('Sign-up is closed: set MUSTER_SIGN_UP')
  })

  test('rejects a used email, an unknown role and a malformed email with one sentence', async () => {
    const person = await service.person()
    for (const [command, sentence] of [
      [`users invite --email ${person.email}`, /^A user with the email .* already exists\.\n$/],
      ['users invite --email x@example.com --role king', /^There is no role king\. Available roles: admin, user\.\n$/],
      ['users invite --email nobody', /^"nobody" must be an email address\.\n$/],
    ] as const) {
      const { code, stdout, stderr } = await muster(command)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(sentence)
    }
  })
})

test('muster token does not count as the first login of the user', async () => {
  const email = 'first@example.com'
  const { password } = await service.person({ email })
  await service.sql('update account set first_session = null where email = $1', [email])
  const byOperator = (await muster(`token --email ${email}`, { MUSTER_PUBLIC_URL: 'http://muster.test' })).stdout.trim()
  const isFirst = async (token: string) =>
    Object((await service.get('/api/v1/user/data', { token })).body).isFirstLogin as unknown
  expect(await isFirst(byOperator)).toBe(false)
  const { access } = await newClient(service).openSession({ email, password })
  expect(await isFirst(access)).toBe(true)
  expect(await isFirst(byOperator)).toBe(false)
})

test('users sign-out ends all sessions of a user and writes them to the audit log', async () => {
  const person = await service.person()
  const { access } = await newClient(service).openSession(person)
  expect(await muster(`users sign-out ${person.email}`)).toMatchObject({ code: 0, stdout: 'Ended 2 sessions.\n' })
  expect(problemOf(await service.get('/auth/sessions', { token: access }))).toEqual({
    status: 401,
    code: 'session_ended',
  })
  expect(await muster(`users sign-out ${person.email}`)).toMatchObject({ stdout: 'Ended 0 sessions.\n' })
})

test('keys rotate-signing prints when the new key signs, and rejects a second rotation before that', async () => {
  const { stdout } = await muster('keys rotate-signing --json')
  const { kid, signsFrom } = JSON.parse(stdout)
  const waitMs = Date.parse(signsFrom) - Date.now()
  expect(waitMs).toBeGreaterThan(300_000)
  expect(waitMs).toBeLessThanOrEqual(600_000)
  expect(await muster('keys rotate-signing')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^The last rotation is not finished\. /),
  })
  const { stdout: next } = await muster('keys rotate-signing --withdraw-old')
  expect(next).not.toContain(kid)
  const { body } = await service.get('/.well-known/jwks.json')
  expect((body as { keys: unknown[] }).keys).toHaveLength(1)
  // A node notices the key of another within five seconds.
  const { token } = await service.person()
  await expect.poll(async () => (await service.get('/auth/sessions', { token })).status).toBe(200)
})

test('keys re-encrypt (alias reseal) re-encrypts everything that the previous key encrypted', async () => {
  const person = await service.person()
  await enrol(service, person.token, { password: person.password })
  const newer = { MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64'), MUSTER_ENCRYPTION_KEY_PREVIOUS: key }
  const { stdout, stderr } = await muster('keys re-encrypt', newer)
  expect(stdout).toMatch(/^Re-encrypted \d+ secrets\.\n$/)
  expect(stderr).toContain('remove MUSTER_ENCRYPTION_KEY_PREVIOUS')
  expect((await muster('keys reseal', newer)).stdout).toBe('Re-encrypted 0 secrets.\n')
  await muster('keys re-encrypt', {
    MUSTER_ENCRYPTION_KEY: key,
    MUSTER_ENCRYPTION_KEY_PREVIOUS: newer.MUSTER_ENCRYPTION_KEY,
  })
})
