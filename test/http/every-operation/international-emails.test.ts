import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runMuster } from '../../cli/run-muster.ts'
import { mailServerForTest, mailSettings, mailWorkOf, tokenIn } from '../../support/mail-server.ts'
import { problemOf } from '../../support/problem.ts'
import { type Person, type Service, serviceForTest } from '../../support/service.ts'
import { newClient, startIssuer, tokensOf } from '../../support/test-client.ts'

const password = 'seventeen small turtles'
const nonAsciiLocalPart =
  'must have only ASCII characters before the @; only the domain can have others, as in ada@exämple.de'
const env = { MUSTER_SIGN_UP: 'invitation', MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64') }
let service: Service
let admin: Person

beforeAll(async () => {
  service = await startIssuer({ env })
  admin = await service.person({ role: 'admin', email: 'root@muster.example' })
})
afterAll(() => service.stop())

const muster = (...args: readonly string[]) => runMuster(args, { env: { ...env, DATABASE_URL: service.fresh.url } })

async function invitationTo(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await muster('users', 'invite', '--email', ...args)
  expect(stdout, stderr).toMatch(/^mit_/)
  return stdout.trim()
}

async function found(query: Readonly<Record<string, string>>, path = '/api/v1/admin/users') {
  const answer = await service.get(`${path}?${new URLSearchParams(query)}`, { token: admin.token })
  expect([query, answer.status]).toEqual([query, 200])
  return (answer.body as { users: readonly { readonly id: string }[] }).users
}

describe('a user with the name Müller and an email at exämple.de', () => {
  let id: string
  let access: string
  const stored = 'mueller@xn--exmple-cua.de'

  beforeAll(async () => {
    const invitation = await invitationTo('mueller@exämple.de', '--proved', '--name', ' Mu\u0308ller ')
    const body = { email: 'Mueller@EXÄMPLE.de', password, invitation }
    access = tokensOf(await newClient(service).post('/auth/sign-up', body)).access
    const [account] = await service.sql<{ id: string }>('select id from account where email = $1', [stored])
    id = String(account?.id)
  })

  test.each([stored, 'mueller@exämple.de', 'MUELLER@EXA\u0308MPLE.DE', 'Mueller@XN--EXMPLE-CUA.de'])(
    'signs in as %s',
    async (email) => {
      tokensOf(await newClient(service).signIn(email, password))
    },
  )

  test.each([
    ...['müller', 'MÜLLER', 'mu\u0308ll', 'Mül', 'ü', 'exämple', 'EXÄMPLE', 'exäm', 'ämple.de', 'mueller@exämple.de'],
    ...['xn--exmple-cua', 'xn--exmple', 'XN--EXMPLE-CUA.DE', 'mueller@xn--'],
  ])('is found by %s, in pages, in the full list and in the count', async (q) => {
    expect((await found({ q })).map((user) => user.id)).toEqual([id])
    expect((await found({ q }, '/api/v1/admin/users/fetch')).map((user) => user.id)).toEqual([id])
    const query = new URLSearchParams({ q, limit: '5', count: 'exact' })
    const counted = await service.get(`/api/v1/admin/users/fetch?${query}`, { token: admin.token })
    expect(counted.headers['total-count']).toBe('1')
  })

  test('is found by the filter email only with a part of the email, in either spelling', async () => {
    const fetch = async (email: string) => (await found({ email }, '/api/v1/admin/users/fetch')).map((user) => user.id)
    for (const part of ['exämple', 'EXÄM', '@xn--exmple', 'mueller@exämple.de']) expect(await fetch(part)).toEqual([id])
    for (const part of ['müller', 'exampel', 'ä@']) expect(await fetch(part)).toEqual([])
  })

  test.each(['光', '💩', '\u200F', '\u0000', "'", '\\', '%_', 'ü'.repeat(254), 'com\nmüller'])(
    'is not found by %j, which matches nobody',
    async (q) => {
      expect(await found({ q })).toEqual([])
      expect(await found({ email: q }, '/api/v1/admin/users/fetch')).toEqual([])
    },
  )

  test('is listed with the name and the stored email, and without the name where the response is specified', async () => {
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
    const shown = { id, email: stored, emailProved: true, status: 'active', role: 'user', createdAt: at }
    const listed = { ...shown, displayName: 'Müller', isAdministrator: false, lastSignInAt: at }
    expect(await found({ q: 'müller' })).toEqual([{ ...listed, plan: 'free' }])
    expect((await service.get(`/api/v1/admin/users/${id}`, { token: admin.token })).body).toEqual({
      ...{ ...shown, displayName: 'Müller' },
      orgs: [],
      identities: [{ issuer: 'http://muster.test', subject: id }],
    })
    expect(await found({ q: 'müller' }, '/api/v1/admin/users/fetch')).toEqual([
      { id, email: stored, role: 'user', orgs: [] },
    ])
    const data = await service.get('/api/v1/user/data', { token: access })
    expect(data.status).toBe(200)
    expect(data.text).not.toContain('ller')
  })

  test('is found by commands in either spelling', async () => {
    expect(await muster('users', 'disable', 'mueller@exämple.de')).toMatchObject({ code: 0 })
    expect(await muster('users', 'enable', 'MUELLER@xn--exmple-cua.de')).toMatchObject({ code: 0 })
  })

  test('keeps the email for itself, in every spelling', async () => {
    for (const email of ['mueller@exämple.de', stored]) {
      expect((await muster('users', 'invite', '--email', email)).stderr).toBe(
        'A user with the email mueller@exämple.de (mueller@xn--exmple-cua.de) already exists.\n',
      )
      const created = await muster('users', 'create', '--email', email, '--generate-password')
      expect([created.code, created.stdout]).toEqual([1, ''])
    }
  })
})

test.each([
  ['Ελλάς  King', 'names-1@οδός.example', ['ΕΛΛΆΣ', 'ελλάσ', 'ελλάς king', 'δόσ', 'δός.ex', 'ΔΌΣ']],
  ['山田\u3000太郎', 'names-2@example.com', ['山田 太郎', '山田\u3000太郎']],
  ['Ada\u00A0\u00A0Byron', 'names-3@example.com', ['ada byron', 'ADA  BYRON', 'a\u00A0b']],
])('%s at %s is found whichever spaces and sigmas the search has', async (name, email, parts) => {
  const created = await muster('users', 'create', '--generate-password', '--json', '--email', email, '--name', name)
  const { id } = JSON.parse(created.stdout)
  for (const q of parts) expect([q, (await found({ q })).map((user) => user.id)]).toEqual([q, [id]])
})

describe('an email with other letters than those of ASCII before the @', () => {
  const email = 'müller@exämple.de'

  test.each([
    ['POST', '/auth/sign-in', { email, password }, '/email'],
    ['POST', '/auth/sign-up', { email, password }, '/email'],
    ['POST', '/auth/recovery', { email }, '/email'],
    ['POST', '/auth/email', { newEmail: email }, '/newEmail'],
  ])('400 input_invalid — %s %s names the member and says why', async (method, path, body, pointer) => {
    const { access } = await newClient(service).openSession(await service.person())
    const answer = await service.call(method, path, { token: access, body })
    expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
    expect(answer.body).toMatchObject({ errors: [{ pointer, detail: nonAsciiLocalPart }] })
  })

  test.each([
    ['users', 'create', '--generate-password', '--email', email],
    ['users', 'invite', '--email', email],
    ['users', 'set-email', 'root@muster.example', email],
  ])('muster %s %s says why', async (...args) => {
    expect(await muster(...args)).toEqual({ code: 1, stdout: '', stderr: `"${email}" ${nonAsciiLocalPart}.\n` })
  })
})

test('mails show the domain in Unicode beside its A-labels, and are sent to the A-labels', async () => {
  const server = await mailServerForTest()
  const mailing = await serviceForTest({
    env: { ...mailSettings(server), MUSTER_SIGN_UP: 'open', MUSTER_PUBLIC_URL: 'http://muster.test' },
  })
  const client = newClient(mailing)
  expect((await client.post('/auth/sign-up', { email: 'Ada@exämple.de' })).status).toBe(202)
  const work = await mailWorkOf(mailing)
  await work.run()
  work.close()
  const [mail] = server.received
  expect(mail?.raw).toMatch(/^To: ada@xn--exmple-cua\.de\r$/m)
  expect(mail?.mail.text).toContain('ada@exämple.de (ada@xn--exmple-cua.de)')
  const body = { token: mail && tokenIn(mail), password, displayName: 'Ada' }
  tokensOf(await client.post('/auth/sign-up/confirm', body))
  tokensOf(await client.signIn('ada@exämple.de', password))
})
