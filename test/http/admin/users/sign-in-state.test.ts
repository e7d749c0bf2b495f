import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import { type Person, type Service, startService } from '../../../support/service.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await startService()
  admin = await service.person({ role: 'admin' })
})
afterAll(() => service.stop())

const parts = ['sessions', 'factors'] as const
type Part = (typeof parts)[number]
const pathOf = (id: string, part: Part) => `/api/v1/admin/users/${id}/${part}`
const read = (id: string, part: Part, { token }: Person = admin) => service.get(pathOf(id, part), { token })
const seconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)

test('200 — the open sessions, the most recently used first, without ended, expired and idle ones', async () => {
  const { id, email, password } = await service.person()
  await service.sql('delete from session where account_id = $1', [id])
  const signedIn = await service.post('/auth/sign-in', {
    body: { email, password },
    headers: { 'user-agent': 'Browser of a test' },
  })
  expect(signedIn.status).toBe(200)
  await service.sql(
    `insert into session (account_id, amr, created_at, last_used_at, expires_at, ended_at)
     select $1, amr, now() - interval '20 days', now() - unused, now() + rest, ended
     from (values ('{operator}'::text[], interval '1 hour', interval '2 days', null::timestamptz),
                  ('{pwd,otp,mfa}', '13 days', '9 days', null), ('{ended}', '0 s', '9 days', now()),
                  ('{expired}', '0 s', '-1 s', null), ('{unused}', '15 days', '9 days', null)) s (amr, unused, rest, ended)`,
    [id],
  )
  const { status, body } = await read(id, 'sessions')
  expect(status).toBe(200)
  const times = { id: expect.any(String), createdAt: seconds, lastUsedAt: seconds, expiresAt: seconds }
  expect(body).toEqual({
    sessions: [
      { ...times, amr: ['pwd'], address: '127.0.0.1', userAgent: 'Browser of a test' },
      { ...times, amr: ['operator'] },
      { ...times, amr: ['pwd', 'otp', 'mfa'] },
    ],
  })
  // Unused for 13 of 14 days: it ends in 1 day, not in 9.
  const last = Object(body).sessions[2]
  expect(Date.parse(last.expiresAt) - Date.parse(last.lastUsedAt)).toBe(14 * 86_400_000)
})

test('200 — the active factors, the oldest first, without unverified ones', async () => {
  const { id } = await service.person()
  expect((await read(id, 'factors')).body).toEqual({ factors: [] })
  const [totp] = await service.sql<{ id: string }>(
    `insert into factor (account_id, friendly_name, secret, verified_at)
     values ($1, 'Phone', '', now()), ($1, 'Waits', '', null) returning id`,
    [id],
  )
  const keys = await service.sql<{ id: string }>(
    `insert into passkey (account_id, credential_id, public_key, aaguid, friendly_name, created_at, last_used_at)
     values ($1, $2, '', $1, 'Laptop', now() + interval '1 s', now()), ($1, $3, '', $1, 'Never used', now() + interval '2 s', null) returning id`,
    [id, randomBytes(16), randomBytes(16)],
  )
  expect((await read(id, 'factors')).body).toEqual({
    factors: [
      { id: totp?.id, kind: 'totp', name: 'Phone', createdAt: seconds },
      { id: keys[0]?.id, kind: 'passkey', name: 'Laptop', createdAt: seconds, lastUsedAt: seconds },
      { id: keys[1]?.id, kind: 'passkey', name: 'Never used', createdAt: seconds },
    ],
  })
})

test('contains no data of other users, and nothing that could be used to sign in', async () => {
  const [one, other] = [await service.person(), await service.person()]
  const secrets = [1, 2, 3].map(() => randomBytes(24))
  await service.sql(
    `with made as (insert into factor (account_id, friendly_name, secret, verified_at) values ($1, 'Phone', $2, now()))
     insert into passkey (account_id, credential_id, public_key, aaguid, friendly_name) values ($1, $3, $4, $1, 'Laptop')`,
    [one.id, ...secrets],
  )
  const { body } = await service.post('/auth/sign-in', { body: { email: other.email, password: other.password } })
  const { access_token: access, refresh_token: refresh, device_token: device } = Object(body)
  const tokens = [access, refresh, device].map(String)
  const hashes = await service.sql<{ hash: Buffer }>('select hash from refresh_token union all select hash from device')
  const shown = [await read(one.id, 'factors'), await read(other.id, 'sessions')].map(({ text }) => text).join()
  for (const bytes of [...secrets, ...hashes.map(({ hash }) => hash)])
    for (const form of ['hex', 'base64', 'base64url'] as const) expect(shown).not.toContain(bytes.toString(form))
  for (const token of tokens) expect(shown).not.toContain(token)
  expect(tokens.every((token) => token.length > 20)).toBe(true)
  expect((await read(other.id, 'factors')).body).toEqual({ factors: [] })
  const { sessions } = Object((await read(one.id, 'sessions')).body)
  expect(sessions).toHaveLength(1)
})

test('200 — a session in the list disappears when an operator ends it', async () => {
  const { id } = await service.person()
  expect(Object((await read(id, 'sessions')).body).sessions).toHaveLength(1)
  expect((await service.call('DELETE', pathOf(id, 'sessions'), { token: admin.token })).body).toEqual({ ended: 1 })
  expect((await read(id, 'sessions')).body).toEqual({ sessions: [] })
})

test.each(parts)(
  '404, 400, 403, 401 — %s for an unknown id, a malformed id, without the permission, without a token',
  async (part) => {
    const unknown = await read('00000000-0000-4000-8000-000000000000', part)
    expect(problemOf(unknown)).toEqual({ status: 404, code: 'user_unknown' })
    const malformed = await read('1', part)
    expect(problemOf(malformed)).toEqual({ status: 400, code: 'input_invalid' })
    const person = await service.person()
    expect(problemOf(await read(person.id, part, person))).toEqual({ status: 403, code: 'permission_missing' })
    expect(problemOf(await service.get(pathOf(person.id, part)))).toEqual({ status: 401, code: 'token_missing' })
  },
)
