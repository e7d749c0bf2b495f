import { afterAll, beforeAll, expect, test } from 'vitest'
import { startIssuer, type TestIssuer } from '../../support/issuer.ts'
import { type Person, type Service, startService } from '../../support/service.ts'

let trusted: TestIssuer
let alsoTrusted: TestIssuer
let other: TestIssuer
let service: Service
let admin: Person

beforeAll(async () => {
  ;[trusted, alsoTrusted, other] = await Promise.all([startIssuer(), startIssuer(), startIssuer()])
  const rules = { algorithms: ['ES256'], audience: 'muster-api', claims: { session: 'sid' } }
  const entries = [
    { issuer: trusted.name, ...rules, trustsEmail: true },
    {
      issuer: alsoTrusted.name,
      ...rules,
      trustsEmail: true,
      claims: { session: 'sid', name: 'https://x.example/name' },
    },
    { issuer: other.name, ...rules },
  ]
  service = await startService({ env: { MUSTER_ISSUERS: JSON.stringify(entries) } })
  admin = await service.person({ role: 'admin' })
})
afterAll(async () => {
  await service.stop()
  await Promise.all([trusted, alsoTrusted, other].map((issuer) => issuer.stop()))
})

let people = 0
function newcomer() {
  people += 1
  return { sub: `subject-${people}`, email: `person-${people}@exämple.de`, email_verified: true, sid: 's' }
}

/** `issuedBefore`: how many seconds ago the token was issued. */
async function call(issuer: TestIssuer, claims: object, { issuedBefore = 0 } = {}): Promise<void> {
  const now = service.clock.now()
  const iat = Math.floor(now / 1_000) - issuedBefore
  const token = await issuer.mint({ ...claims, iat }, { now })
  expect(await service.get('/api/v1/user/data', { token })).toMatchObject({ status: 200 })
}

async function userOf(issuer: TestIssuer, sub: string) {
  const [row] = await service.sql<{ id: string }>(
    'select account_id as id from identity where issuer = $1 and subject = $2',
    [issuer.name, sub],
  )
  return service.get(`/api/v1/admin/users/${row?.id}`, { token: admin.token })
}

const nameOf = async (issuer: TestIssuer, sub: string) => Object((await userOf(issuer, sub)).body).displayName

async function rename(issuer: TestIssuer, sub: string, displayName: string | null): Promise<void> {
  const { body, headers } = await userOf(issuer, sub)
  const answer = await service.call('PUT', `/api/v1/admin/users/${Object(body).id}/display-name`, {
    ...{ token: admin.token, body: { displayName }, headers: { 'if-match': String(headers.etag) } },
  })
  expect(answer.status).toBe(200)
}

test('the name claim of a trusted issuer names a new user, whose email is stored with A-labels', async () => {
  const user = newcomer()
  await call(trusted, { ...user, name: ' Ada  Lovelace ' })
  expect((await userOf(trusted, user.sub)).body).toMatchObject({
    ...{ displayName: 'Ada  Lovelace', email: user.email.replace('exämple', 'xn--exmple-cua'), emailProved: true },
  })
})

test('a claim under another name names the user, if the entry says so', async () => {
  const user = newcomer()
  await call(alsoTrusted, { ...user, name: 'Wrong', 'https://x.example/name': 'Ada' })
  expect(await nameOf(alsoTrusted, user.sub)).toBe('Ada')
})

test('the same email in another spelling links two trusted issuers to one user, whom the second does not rename', async () => {
  const user = newcomer()
  await call(trusted, { ...user, name: 'Ada' })
  const email = user.email.toUpperCase().replace('EXÄMPLE', 'xn--exmple-cua')
  await call(alsoTrusted, { ...user, email, 'https://x.example/name': 'Countess' })
  const [one, two] = [await userOf(trusted, user.sub), await userOf(alsoTrusted, user.sub)]
  expect(Object(two.body).id).toBe(Object(one.body).id)
  expect(two.body).toMatchObject({ displayName: 'Ada' })
})

test('a later token changes the name, also of a user who had none; an earlier token does not change it back', async () => {
  const user = newcomer()
  await call(trusted, user, { issuedBefore: 100 })
  expect(await nameOf(trusted, user.sub)).toBeUndefined()
  await call(trusted, { ...user, name: 'Ada' }, { issuedBefore: 80 })
  expect(await nameOf(trusted, user.sub)).toBe('Ada')
  await call(trusted, { ...user, name: 'Ada King' }, { issuedBefore: 20 })
  expect(await nameOf(trusted, user.sub)).toBe('Ada King')
  await call(trusted, { ...user, name: 'Ada' }, { issuedBefore: 70 })
  await call(trusted, user, { issuedBefore: 10 })
  expect(await nameOf(trusted, user.sub)).toBe('Ada King')
})

test('a name that was set here stays, until it is removed', async () => {
  const user = newcomer()
  await call(trusted, { ...user, name: 'Ada' }, { issuedBefore: 50 })
  await rename(trusted, user.sub, 'Countess')
  await call(trusted, { ...user, name: 'Ada King' }, { issuedBefore: 40 })
  expect(await nameOf(trusted, user.sub)).toBe('Countess')
  await rename(trusted, user.sub, null)
  expect(await nameOf(trusted, user.sub)).toBeUndefined()
  await call(trusted, { ...user, name: 'Ada King' }, { issuedBefore: 30 })
  expect(await nameOf(trusted, user.sub)).toBe('Ada King')
})

test.each([
  ['of an issuer that is not trusted', () => other, 'Ada'],
  ['that is no text', () => trusted, { given: 'Ada' }],
  ['that is empty', () => trusted, '  '],
  ['with a bidirectional character', () => trusted, 'Ada\u202E'],
  ['with NUL', () => trusted, 'Ada\u0000'],
  ['that is too long', () => trusted, 'x'.repeat(201)],
])('a name %s is ignored, and the call succeeds', async (_, issuer, name) => {
  const user = newcomer()
  await call(issuer(), { ...user, name })
  await call(issuer(), { ...user, name })
  expect(await nameOf(issuer(), user.sub)).toBeUndefined()
})

test('many calls at once with a new name succeed, and the user has the name', async () => {
  const user = newcomer()
  await call(trusted, { ...user, name: 'Ada' }, { issuedBefore: 60 })
  const calls = Array.from({ length: 20 }, () => call(trusted, { ...user, name: 'Ada King' }))
  await Promise.all(calls)
  expect(await nameOf(trusted, user.sub)).toBe('Ada King')
})
