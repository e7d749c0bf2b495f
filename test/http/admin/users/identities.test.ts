import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startIssuer, type TestIssuer } from '../../../support/issuer.ts'
import { problemOf } from '../../../support/problem.ts'
import { type Person, type Service, serviceForTest, startService } from '../../../support/service.ts'
import { newKey } from '../../../support/service-keys.ts'

const listPath = '/api/v1/admin/users'
const findPath = '/api/v1/admin/users/by-identity'
const publicUrl = 'http://muster.test'

let issuer: TestIssuer
let other: TestIssuer
let service: Service
let admin: Person
beforeAll(async () => {
  issuer = await startIssuer()
  other = await startIssuer()
  service = await startService({ env: { MUSTER_ISSUERS: registry() } })
  admin = await service.person({ role: 'admin' })
})
afterAll(async () => {
  await service.stop()
  await Promise.all([issuer.stop(), other.stop()])
})

function registry(): string {
  const rules = { algorithms: ['ES256'], audience: 'muster-api', claims: { session: 'sid' }, trustsEmail: true }
  return JSON.stringify([issuer, other].map(({ name }) => ({ issuer: name, ...rules })))
}

/** Makes the first call of this subject. Returns the id of its user. */
async function userOf(at: TestIssuer, claims: Record<string, unknown>): Promise<string> {
  const { body } = await service.get('/api/v1/user/data?details=true', {
    token: await at.mint({ sid: 's', ...claims }),
  })
  return String(Object(body).userId)
}

function get(path: string, query: Record<string, string>, token = admin.token) {
  return service.get(`${path}?${new URLSearchParams(query)}`, { token })
}

async function listed(query: Record<string, string>, token?: string): Promise<readonly string[]> {
  const { status, body } = await get(listPath, query, token)
  expect(status).toBe(200)
  return Object(body).users.map(({ id }: { id: string }) => id)
}

describe('GET /api/v1/user/data?details=true', () => {
  test('returns the ID of the user, which is absent without details', async () => {
    const person = await service.person()
    const read = async (query: string) => (await service.get(`/api/v1/user/data${query}`, { token: person.token })).body
    expect(await read('?details=true')).toMatchObject({ userId: person.id, mfaRequired: false })
    expect(await read('')).not.toHaveProperty('userId')
    expect(await read('?details=false')).not.toHaveProperty('userId')
  })

  test('returns the ID of the user as whom an administrator acts', async () => {
    const person = await service.person()
    await service.post(`${listPath}/${person.id}/act-as`, { token: admin.token, body: { reason: 'Ticket 1' } })
    const { body } = await service.get('/api/v1/user/data?details=true', {
      token: admin.token,
      headers: { 'act-as': person.id },
    })
    expect(body).toMatchObject({ userId: person.id })
  })
})

describe.each([listPath, '/api/v1/admin/users/fetch'])('GET %s with issuer and subject', (path) => {
  const ids = async (query: Record<string, string>) => {
    const { status, body } = await get(path, query)
    expect(status).toBe(200)
    return Object(body).users.map(({ id }: { id: string }) => id)
  }

  test('finds exactly the user of this identity', async () => {
    const sub = `Ünïque|${crypto.randomUUID()} %_\\`
    const id = await userOf(issuer, { sub })
    await userOf(other, { sub })
    expect(await ids({ issuer: issuer.name, subject: sub })).toEqual([id])
    for (const subject of [sub.toLowerCase(), sub.slice(0, -1), ` ${sub}`, '%'])
      expect(await ids({ issuer: issuer.name, subject })).toEqual([])
    for (const name of [`${issuer.name}/`, issuer.name.toUpperCase(), 'https://unknown.example.com'])
      expect(await ids({ issuer: name, subject: sub })).toEqual([])
  })

  test('finds no user who has the issuer and the subject in two different identities', async () => {
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()]
    const email = `${one}@example.com`
    const id = await userOf(issuer, { sub: one, email, email_verified: true })
    expect(await userOf(other, { sub: two, email, email_verified: true })).toBe(id)
    expect(await ids({ issuer: issuer.name, subject: one })).toEqual([id])
    expect(await ids({ issuer: other.name, subject: two })).toEqual([id])
    expect(await ids({ issuer: issuer.name, subject: two })).toEqual([])
    expect(await ids({ issuer: other.name, subject: one })).toEqual([])
  })

  test('understands the `iss` of the built-in issuer and its stored name', async () => {
    const { id } = await service.person()
    expect(await ids({ issuer: publicUrl, subject: id })).toEqual([id])
    expect(await ids({ issuer: 'urn:muster:issuer', subject: id })).toEqual([id])
  })

  test('combines with the other filters, and links to no next page', async () => {
    const { id } = await service.person()
    const identity = { issuer: publicUrl, subject: id }
    const page = await get(path, { ...identity, role: 'user', status: 'active', limit: '1', sort: '-email' })
    expect(Object(page.body).users).toHaveLength(1)
    expect(page.headers.link).toBeUndefined()
    expect(await ids({ ...identity, role: 'admin' })).toEqual([])
    await service.sql('update account set disabled_at = now() where id = $1', [id])
    expect(await ids({ ...identity, status: 'active' })).toEqual([])
    expect(await ids({ ...identity, status: 'disabled' })).toEqual([id])
  })

  test.each([
    ['subject', { issuer: publicUrl }, 'issuer'],
    ['issuer', { subject: 'u1' }, 'subject'],
  ])('400 input_invalid names the missing %s', async (missing, query, given) => {
    expect((await get(path, query)).body).toMatchObject({
      code: 'input_invalid',
      errors: [{ parameter: missing, detail: `is required, because \`${given}\` is present` }],
    })
  })

  test('400 input_invalid for an empty, overlong or unstorable value', async () => {
    const rejected = [
      ['issuer', { issuer: '', subject: 's' }],
      ['issuer', { issuer: 'i'.repeat(401), subject: 's' }],
      ['subject', { issuer: 'i', subject: '' }],
      ['subject', { issuer: 'i', subject: 's'.repeat(256) }],
      ['subject', { issuer: 'i', subject: 'a\0b' }],
    ] as const
    for (const [parameter, query] of rejected)
      expect((await get(path, query)).body).toMatchObject({ code: 'input_invalid', errors: [{ parameter }] })
  })
})

describe('GET /api/v1/admin/users/by-identity', () => {
  test('returns the user as GET /api/v1/admin/users/{userId} does, with the same ETag', async () => {
    const sub = crypto.randomUUID()
    const id = await userOf(issuer, { sub, email: `${sub}@example.com`, email_verified: true })
    const found = await get(findPath, { issuer: issuer.name, subject: sub })
    expect(found.body).toEqual({
      id,
      email: `${sub}@example.com`,
      emailProved: true,
      role: 'user',
      status: 'active',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      orgs: [],
      identities: [{ issuer: issuer.name, subject: sub }],
    })
    const read = await service.get(`${listPath}/${id}`, { token: admin.token })
    expect(found.body).toEqual(read.body)
    expect(found.headers.etag).toBe(read.headers.etag)
    expect(found.headers['cache-control']).toBe('no-store, no-transform')
  })

  test('names the built-in issuer as the `iss` of its tokens', async () => {
    const { id } = await service.person()
    const { body } = await get(findPath, { issuer: publicUrl, subject: id })
    expect(body).toMatchObject({ id, identities: [{ issuer: publicUrl, subject: id }] })
    expect((await get(findPath, { issuer: 'urn:muster:issuer', subject: id })).body).toEqual(body)
  })

  test('finds users who are disabled or scheduled for deletion', async () => {
    const { id } = await service.person()
    await service.sql(
      `update account set disabled_at = now(), erase_requested_at = now(), erases_at = now() + interval '14 days' where id = $1`,
      [id],
    )
    expect((await get(findPath, { issuer: publicUrl, subject: id })).body).toMatchObject({ id, status: 'erasing' })
    expect(await listed({ issuer: publicUrl, subject: id })).toEqual([])
    expect(await listed({ issuer: publicUrl, subject: id, status: 'erasing' })).toEqual([id])
  })

  test('404 user_unknown for a subject that the issuer does not have, and 400 without issuer or subject', async () => {
    const { id } = await service.person()
    const { body } = await get(findPath, { issuer: issuer.name, subject: id })
    expect(body).toMatchObject({ code: 'user_unknown', detail: 'No user of this issuer has this subject.' })
    for (const [missing, query] of [
      ['subject', { issuer: publicUrl }],
      ['issuer', { subject: id }],
    ] as const)
      expect((await get(findPath, query)).body).toMatchObject({
        code: 'input_invalid',
        errors: [{ parameter: missing }],
      })
  })

  test('requires users:read', async () => {
    const { id, token } = await service.person()
    expect(problemOf(await get(findPath, { issuer: publicUrl, subject: id }, token))).toMatchObject({
      code: 'permission_missing',
    })
  })
})

describe('a service key', () => {
  test('with users:read finds a user by issuer and subject; without it, gets 403', async () => {
    const { id } = await service.person()
    const identity = { issuer: publicUrl, subject: id }
    const reader = await newKey(service, admin, { permissions: { users: ['read'] } })
    expect((await get(findPath, identity, reader.key)).body).toMatchObject({ id })
    const lister = await newKey(service, admin, { permissions: { users: ['list'] } })
    expect(problemOf(await get(findPath, identity, lister.key)).code).toBe('permission_missing')
    expect(await listed(identity, lister.key)).toEqual([id])
  })

  test('of an organization finds only its members, and cannot tell others from unknown ones', async () => {
    const member = await service.person()
    const stranger = await service.person()
    const [org] = await service.sql<{ id: string }>(
      `with org as (insert into organization (name) values ('Engines'), ('Others') returning id, name),
            m as (insert into membership (organization_id, account_id) select id, $1 from org)
       select id from org where name = 'Engines'`,
      [member.id],
    )
    const { key } = await newKey(service, admin, { permissions: { users: ['list', 'read'] }, orgId: String(org?.id) })
    const of = (subject: string) => ({ issuer: publicUrl, subject })
    const found = await get(findPath, of(member.id), key)
    expect(Object(found.body).orgs).toEqual([{ id: org?.id, name: 'Engines', role: 'member' }])
    expect(await listed(of(member.id), key)).toEqual([member.id])
    expect(await listed(of(stranger.id), key)).toEqual([])
    const hidden = await get(findPath, of(stranger.id), key)
    const unknown = await get(findPath, of(crypto.randomUUID()), key)
    const comparable = ({ status, body }: typeof hidden) => {
      const { instance: _, requestId: __, ...rest } = Object(body)
      return { status, rest }
    }
    expect(comparable(hidden)).toEqual(comparable(unknown))
    expect(hidden.status).toBe(404)
  })
})

test('while the built-in issuer is off, the public address names no issuer', async () => {
  const remote = await startIssuer()
  const rules = { algorithms: ['ES256'], audience: 'muster-api', claims: { session: 'sid' } }
  const off = await serviceForTest({
    env: {
      MUSTER_BUILT_IN_ISSUER: 'false',
      MUSTER_ISSUERS: JSON.stringify([{ issuer: remote.name, ...rules }]),
    },
  })
  const token = await remote.mint({ sub: 'operator', sid: 's' })
  await off.get('/api/v1/user/data', { token })
  await off.sql(`update account set role_id = 'admin'`)
  await off.sql(`with a as (insert into account (id) values ('0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01') returning id)
    insert into identity (issuer, subject, account_id) select 'urn:muster:issuer', id, id from a`)
  const subject = '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01'
  const at = (name: string) => off.get(`${findPath}?${new URLSearchParams({ issuer: name, subject })}`, { token })
  expect((await at(publicUrl)).status).toBe(404)
  expect((await at('urn:muster:issuer')).body).toMatchObject({ identities: [{ issuer: 'urn:muster:issuer', subject }] })
  await remote.stop()
})
