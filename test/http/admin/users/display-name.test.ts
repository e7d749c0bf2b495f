import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import { type Answer, type Person, type Service, startService } from '../../../support/service.ts'
import { newClient } from '../../../support/test-client.ts'
import { nodeForTest, receiverEnv, receiverForTest, registerEndpoint } from '../../../support/webhook-receiver.ts'

let service: Service
let admin: Person

beforeAll(async () => {
  service = await startService({ env: receiverEnv })
  admin = await service.person({ role: 'admin' })
  return () => service.stop()
})

const pathOf = (id: string) => `/api/v1/admin/users/${id}`
const read = (id: string) => service.get(pathOf(id), { token: admin.token })

interface Wish {
  readonly token?: string
  readonly ifMatch?: string | undefined
}

function rename(id: string, body: unknown, { token = admin.token, ifMatch }: Wish = {}): Promise<Answer> {
  const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch }
  return service.call('PUT', `${pathOf(id)}/display-name`, { token, body, headers })
}

async function renameNow(id: string, displayName: string | null): Promise<Answer> {
  return rename(id, { displayName }, { ifMatch: String((await read(id)).headers.etag) })
}

const writeOwn = (token: string, displayName: unknown) =>
  service.call('PATCH', '/auth/account', { token, body: { displayName } })

describe('an administrator', () => {
  test('changes and removes the name of a user; the audit log records it without the name', async () => {
    const { id } = await service.person()
    const before = (await read(id)).body
    const named = await renameNow(id, '  Grace Hopper ')
    expect([named.status, named.body]).toEqual([200, { ...Object(before), displayName: 'Grace Hopper' }])
    expect((await read(id)).body).toEqual(named.body)
    expect((await renameNow(id, null)).body).toEqual(before)
    const events = await service.sql('select action, actor_id, details from audit_event where target_id = $1', [id])
    const renamed = { action: 'account.renamed', actor_id: admin.id, details: {} }
    expect(events).toEqual([renamed, renamed])
  })

  test('428 without If-Match, 412 after another change, 404 for an unknown user', async () => {
    const { id } = await service.person()
    const ifMatch = String((await read(id)).headers.etag)
    expect(problemOf(await rename(id, { displayName: 'Ada' }))).toEqual({ status: 428, code: 'precondition_required' })
    await renameNow(id, 'Grace')
    expect(problemOf(await rename(id, { displayName: 'Ada' }, { ifMatch }))).toEqual({
      status: 412,
      code: 'precondition_failed',
    })
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect(problemOf(await rename(unknown, { displayName: 'Ada' }, { ifMatch }))).toEqual({
      status: 404,
      code: 'user_unknown',
    })
    expect((await read(id)).body).toMatchObject({ displayName: 'Grace' })
  })

  test('403 without the permission users:rename, and for a user whose role grants more', async () => {
    const { id, token } = await service.person()
    const ifMatch = String((await read(id)).headers.etag)
    expect(problemOf(await rename(id, { displayName: 'Ada' }, { token, ifMatch }))).toEqual({
      status: 403,
      code: 'permission_missing',
    })
    await service.sql(`insert into role (id, name) values ('clerk', 'Clerk')`)
    await service.sql(`insert into role_grant (role_id, resource, action) values ('clerk', 'users', 'rename')`)
    const clerk = await service.person({ role: 'clerk' })
    const ofAdmin = String((await read(admin.id)).headers.etag)
    const refused = await rename(admin.id, { displayName: 'Ada' }, { token: clerk.token, ifMatch: ofAdmin })
    expect(problemOf(refused)).toEqual({ status: 403, code: 'permission_exceeds' })
  })
})

describe('a user', () => {
  test('changes the own name, which is in the account, its copy and the next token, and not in user data', async () => {
    const person = await service.person()
    const client = newClient(service)
    const { access } = await client.openSession(person)
    expect(decodeJwt(access)).not.toHaveProperty('name')
    const changed = await writeOwn(access, 'Ada\u0301 ')
    expect(changed).toMatchObject({ status: 200, body: { displayName: 'Adá' } })
    const account = await service.get('/auth/account', { token: access })
    expect(account.body).toMatchObject({ email: person.email, displayName: 'Adá' })
    const copy = await service.get('/auth/account/export', { token: access })
    expect(copy.body).toMatchObject({ account: { displayName: 'Adá' } })
    const next = (await client.openSession(person)).access
    expect(decodeJwt(next)).toMatchObject({ sub: person.id, name: 'Adá' })
    expect((await service.get('/api/v1/user/data', { token: next })).text).not.toContain('Ad')
    expect((await writeOwn(next, null)).body).toHaveProperty('displayName', null)
    expect((await service.get('/auth/account/export', { token: next })).body).not.toHaveProperty('account.displayName')
    expect(decodeJwt((await client.openSession(person)).access)).not.toHaveProperty('name')
  })

  test.each([
    ['', 'must have 1 to 200 characters'],
    [' ', 'must have 1 to 200 characters'],
    ['x'.repeat(201), 'must have 1 to 200 characters'],
    ['a\u202Eb', 'must not have control, invisible or bidirectional characters'],
    ['a\u0000', 'must not have control, invisible or bidirectional characters'],
    [7, 'must be of the type string, or must be of the type null'],
  ])('400 input_invalid — the name %j, by a user and by an administrator', async (name, reason) => {
    const { id, token } = await service.person()
    const { access } = await newClient(service).openSession(await service.person())
    const ifMatch = String((await read(id)).headers.etag)
    expect(token).not.toBe(access)
    for (const answer of [await writeOwn(access, name), await rename(id, { displayName: name }, { ifMatch })]) {
      expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
      const detail = expect.stringContaining(reason)
      expect(answer.body).toMatchObject({ errors: [{ pointer: '/displayName', detail }] })
    }
  })
})

test('members of an organization see the names of the others', async () => {
  const person = await service.person()
  await renameNow(person.id, 'Grace')
  const [org] = await service.sql<{ id: string }>(
    `with org as (insert into organization (name) values ('Acme') returning id)
     insert into membership (organization_id, account_id, role_id) select id, $1, 'owner' from org returning organization_id as id`,
    [person.id],
  )
  const members = await service.get(`/api/v1/orgs/${org?.id}/members`, { token: person.token })
  expect(members.body).toEqual({
    members: [
      { id: person.id, email: person.email, displayName: 'Grace', role: 'owner', joinedAt: expect.any(String) },
    ],
  })
})

test('webhooks get one user.updated with the new name for a change, and none for a repetition', async () => {
  const receiver = await receiverForTest()
  const node = await nodeForTest(service)
  await registerEndpoint(service, admin.token, { url: receiver.url, events: ['user.updated'] })
  const { id } = await service.person()
  await renameNow(id, 'Grace')
  await renameNow(id, 'Grace')
  await node.deliver()
  const events = receiver.received.map(({ text }) => JSON.parse(text))
  expect(events).toMatchObject([{ type: 'user.updated', data: { id, displayName: 'Grace' } }])
})
