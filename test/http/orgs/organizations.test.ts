import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Service, startService, testInProcess } from '../../support/service.ts'

let service: Service
let founder: Person

beforeAll(async () => {
  service = await startService()
  founder = await person('admin')
})
afterAll(() => service.stop())

interface Person {
  readonly id: string
  readonly email: string
  readonly token: string
}

/** A signed-in user, created without the cost of hashing a password. */
async function person(role = 'user'): Promise<Person> {
  const [row] = await service.sql<{ id: string; email: string }>(
    `with made as (
       insert into account (email, role_id) values (gen_random_uuid() || '@example.com', $1) returning id, email
     ), known as (insert into identity select 'urn:muster:issuer', id::text, id from made)
     select id, email from made`,
    [role],
  )
  if (!row) throw new Error('no account was made')
  return { ...row, token: await service.tokenFor(row.id) }
}

const nobody = '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f'

interface Organization {
  readonly id: string
  readonly owner: Person
  readonly member: Person
  readonly stranger: Person
}

/** An organization with an owner and a member, and a stranger with an organization of their own. */
async function organization(): Promise<Organization> {
  const [owner, member, stranger] = await Promise.all([person(), person(), person()])
  const [row] = await service.sql<{ id: string }>(`insert into organization (name) values ('Engines') returning id`)
  const id = String(row?.id)
  await service.sql(
    `insert into membership (organization_id, account_id, role_id) values ($1, $2, 'owner'), ($1, $3, 'member')`,
    [id, owner.id, member.id],
  )
  await service.sql(
    `with other as (insert into organization (name) values ('Elsewhere') returning id)
     insert into membership (organization_id, account_id, role_id) select id, $1, 'owner' from other`,
    [stranger.id],
  )
  return { id, owner, member, stranger }
}

function codeOf({ status, body }: Answer): string {
  return status < 400 ? String(status) : `${status} ${Object(body).code}`
}

async function rolesIn(id: string): Promise<Record<string, string>> {
  const rows = await service.sql<{ account_id: string; role_id: string }>(
    'select account_id, role_id from membership where organization_id = $1',
    [id],
  )
  return Object.fromEntries(rows.map(({ account_id, role_id }) => [account_id, role_id]))
}

const path = (id: string, rest = '') => `/api/v1/orgs/${id}${rest}`

async function invitationTo(id: string, owner: Person, body: object = {}): Promise<{ id: string; token: string }> {
  const answer = await service.post(path(id, '/invitations'), { token: owner.token, body })
  expect(answer.status).toBe(201)
  return answer.body as { id: string; token: string }
}

function accept(token: string, person: Person): Promise<Answer> {
  return service.post('/api/v1/orgs/accept-invitation', { token: person.token, body: { token } })
}

async function eventsOf(organizationId: string) {
  return service.sql<{ action: string; actor_id: string | null; target_id: string }>(
    `select action, actor_id, target_id from audit_event
     where details ->> 'organization' = $1 or target_id = $1 order by at, id`,
    [organizationId],
  )
}

const atPointer = (pointer: string) => ({ pointer, detail: expect.any(String) })

describe('creating and listing organizations', () => {
  test('201 — the caller is its owner, sees it on the next request, and it is audited', async () => {
    const made = await service.post('/api/v1/orgs', { token: founder.token, body: { name: 'Analytical Engines' } })
    expect(made).toMatchObject({ status: 201, body: { name: 'Analytical Engines', role: 'owner' } })
    const { id } = made.body as { id: string }
    const list = await service.get('/api/v1/orgs', { token: founder.token })
    expect(list.body).toMatchObject({ orgs: expect.arrayContaining([made.body]) })
    const data = await service.get(`/api/v1/user/data?orgId=${id}`, { token: founder.token })
    expect(data.body).toMatchObject({ orgId: id, permissions: { organization: ['create', 'manage', 'read'] } })
    expect(await eventsOf(id)).toEqual([{ action: 'organization.created', actor_id: founder.id, target_id: id }])
  })

  test('403 permission_missing — a user without the permission to create organizations', async () => {
    const { token } = await person()
    const make = () => service.post('/api/v1/orgs', { token, body: { name: 'Mine' } })
    expect(codeOf(await make())).toBe('403 permission_missing')
    await service.sql(`insert into role_grant values ('user', 'organization', 'create')`)
    expect((await make()).status).toBe(201)
    await service.sql(`delete from role_grant where role_id = 'user' and resource = 'organization'`)
    expect(codeOf(await make())).toBe('403 permission_missing')
  })

  test.each([
    [{}, '/name'],
    [{ name: '' }, '/name'],
    [{ name: ' Engines' }, '/name'],
    [{ name: 'Engines\u0000' }, '/name'],
    [{ name: 'a\u202eb' }, '/name'],
    [{ name: 'x'.repeat(201) }, '/name'],
    [{ name: 'Engines', owner: 'me' }, '/owner'],
  ])('400 input_invalid — %j', async (body, pointer) => {
    const answer = await service.post('/api/v1/orgs', { token: founder.token, body })
    expect(answer.body).toMatchObject({ code: 'input_invalid', errors: expect.arrayContaining([atPointer(pointer)]) })
  })

  test('200 — lists none for a user without organizations, and never those of others', async () => {
    const { token } = await person()
    expect((await service.get('/api/v1/orgs', { token })).body).toEqual({ orgs: [] })
  })
})

describe('a caller who is not a member gets the same response as for an unknown organization', () => {
  const requests: readonly (readonly [method: string, rest: string, body: object | undefined])[] = [
    ['GET', '/members', undefined],
    ['PUT', `/members/${nobody}/role`, { role: 'member' }],
    ['DELETE', `/members/${nobody}`, undefined],
    ['POST', '/leave', undefined],
    ['POST', '/invitations', {}],
    ['GET', '/invitations', undefined],
    ['DELETE', `/invitations/${nobody}`, undefined],
  ]

  test.each(requests)('404 organization_unknown — %s %s', async (method, rest, body) => {
    const { id, stranger, member } = await organization()
    const ask = (which: string, { token }: Person) =>
      service.call(method, path(which, rest), { token, ...(body && { body }) })
    const [foreign, absent] = [await ask(id, stranger), await ask(nobody, stranger)]
    expect(codeOf(foreign)).toBe('404 organization_unknown')
    const said = ({ body: { instance: _, ...same } }: { body: Record<string, unknown> }) => same
    expect(said({ body: Object(foreign.body) })).toEqual(said({ body: Object(absent.body) }))
    // Managing another organization does not help, and a member cannot do what an owner can.
    const everyMemberMay = rest === '/leave' || (method === 'GET' && rest === '/members')
    if (!everyMemberMay) expect(codeOf(await ask(id, member))).toBe('403 permission_missing')
    expect(codeOf(await service.call(method, path('1', rest), { token: stranger.token, ...(body && { body }) }))).toBe(
      '400 input_invalid',
    )
  })

  test('an administrator of the service has no permissions in organizations of others', async () => {
    const { id } = await organization()
    expect(codeOf(await service.get(path(id, '/members'), { token: founder.token }))).toBe('404 organization_unknown')
  })

  test('permissions of the account or of another organization do not count: only the role in this one does', async () => {
    const { id, member } = await organization()
    await service.sql(`insert into role_grant values ('user', 'organization', 'manage')`)
    const answer = await service.post(path(id, '/invitations'), { token: member.token, body: {} })
    await service.sql(`delete from role_grant where role_id = 'user' and resource = 'organization'`)
    expect(codeOf(answer)).toBe('403 permission_missing')
  })
})

describe('members', () => {
  test('200 — lists every member once, in pages', async () => {
    const { id, owner, member } = await organization()
    await service.sql(
      `with people as (insert into account (email) select 'm' || n || '@example.com' from generate_series(1, 7) n returning id)
       insert into membership (organization_id, account_id) select $1, id from people`,
      [id],
    )
    const seen: string[] = []
    let next: string | undefined = path(id, '/members?limit=4')
    let pages = 0
    while (next) {
      const { body, headers }: Answer = await service.get(next, { token: member.token })
      seen.push(...(body as { members: { id: string }[] }).members.map((one) => one.id))
      next = /^<(.+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1]
      pages += 1
    }
    expect([pages, seen.length, new Set(seen).size]).toEqual([3, 9, 9])
    const whole = await service.get(path(id, '/members'), { token: owner.token })
    expect(whole.body).toMatchObject({
      members: expect.arrayContaining([
        { id: owner.id, email: owner.email, role: 'owner', joinedAt: expect.any(String) },
        { id: member.id, email: member.email, role: 'member', joinedAt: expect.any(String) },
      ]),
    })
    expect(whole.headers.link).toBeUndefined()
    const full = await service.get(path(id, '/members?limit=9'), { token: owner.token })
    expect(full.body).toHaveProperty('members.length', 9)
    expect(full.headers.link).toBeUndefined()
  })

  test('403 permission_missing — a role without the permission to read members', async () => {
    const { id, member } = await organization()
    await service.sql(`insert into role (id, name, for_members) values ('guest', 'Guest', true)`)
    await service.sql(`update membership set role_id = 'guest' where organization_id = $1 and account_id = $2`, [
      id,
      member.id,
    ])
    const answer = await service.get(path(id, '/members'), { token: member.token })
    await service.sql(`update membership set role_id = 'member' where role_id = 'guest'`)
    await service.sql(`delete from role where id = 'guest'`)
    expect(codeOf(answer)).toBe('403 permission_missing')
  })

  test.each(['limit=0', 'limit=1001', 'limit=x', 'after=1', 'page=2'])('400 input_invalid — ?%s', async (query) => {
    const { id, owner } = await organization()
    expect(codeOf(await service.get(path(id, `/members?${query}`), { token: owner.token }))).toBe('400 input_invalid')
  })

  test('204 — a new role applies to the member’s next request, and is audited once with both roles', async () => {
    const { id, owner, member } = await organization()
    const promote = () =>
      service.call('PUT', path(id, `/members/${member.id}/role`), { token: owner.token, body: { role: 'owner' } })
    expect((await promote()).status).toBe(204)
    expect((await service.get(path(id, '/invitations'), { token: member.token })).status).toBe(200)
    expect((await promote()).status).toBe(204)
    expect(await eventsOf(id)).toEqual([
      { action: 'membership.role_changed', actor_id: owner.id, target_id: member.id },
    ])
  })

  test.each(['admin', 'user', 'nothing'])(
    '400 input_invalid — the role %s, which cannot be assigned to members',
    async (role) => {
      const { id, owner, member } = await organization()
      for (const answer of [
        await service.call('PUT', path(id, `/members/${member.id}/role`), { token: owner.token, body: { role } }),
        await service.post(path(id, '/invitations'), { token: owner.token, body: { role } }),
      ])
        expect(answer.body).toMatchObject({
          code: 'input_invalid',
          errors: [{ pointer: '/role', detail: 'must be one of: member, owner' }],
        })
      expect(await rolesIn(id)).toMatchObject({ [member.id]: 'member' })
    },
  )

  test('204 — a member who is removed or leaves has no access on the next request', async () => {
    const { id, owner, member } = await organization()
    const second = await person()
    await service.sql('insert into membership (organization_id, account_id) values ($1, $2)', [id, second.id])
    const removed = await service.call('DELETE', path(id, `/members/${member.id}`), { token: owner.token })
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect(codeOf(await service.get(path(id, '/members'), { token: member.token }))).toBe('404 organization_unknown')
    expect((await service.get('/api/v1/user/data', { token: member.token })).body).not.toHaveProperty('orgId')

    expect((await service.post(path(id, '/leave'), { token: second.token })).status).toBe(204)
    expect(codeOf(await service.post(path(id, '/leave'), { token: second.token }))).toBe('404 organization_unknown')
    expect(await rolesIn(id)).toEqual({ [owner.id]: 'owner' })
    expect((await eventsOf(id)).map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['membership.removed', owner.id],
      ['membership.removed', second.id],
    ])
  })

  test('404 member_unknown — the same for another organization’s user as for an unknown one', async () => {
    const { id, owner, stranger } = await organization()
    for (const who of [stranger.id, nobody]) {
      const role = service.call('PUT', path(id, `/members/${who}/role`), {
        token: owner.token,
        body: { role: 'owner' },
      })
      expect(codeOf(await role)).toBe('404 member_unknown')
      const removal = service.call('DELETE', path(id, `/members/${who}`), { token: owner.token })
      expect(codeOf(await removal)).toBe('404 member_unknown')
    }
  })
})

describe('transferring an organization', () => {
  const transfer = (id: string, { token }: Person, userId: string) =>
    service.post(path(id, '/transfer'), { token, body: { userId } })

  test('204 — swaps the roles and audits both changes', async () => {
    const { id, owner, member } = await organization()
    expect(codeOf(await transfer(id, owner, member.id))).toBe('204')
    expect(await rolesIn(id)).toEqual({ [owner.id]: 'member', [member.id]: 'owner' })
    expect((await eventsOf(id)).map(({ action }) => action)).toEqual([
      'membership.role_changed',
      'membership.role_changed',
    ])
    expect(codeOf(await transfer(id, owner, member.id))).toBe('403 permission_missing')
    expect(codeOf(await transfer(id, member, owner.id))).toBe('204')
  })

  test('rejects a transfer to oneself, a stranger or a disabled member, and by a member or a stranger, without changing a role', async () => {
    const { id, owner, member, stranger } = await organization()
    expect(codeOf(await transfer(id, owner, owner.id))).toBe('403 self_change')
    expect(codeOf(await transfer(id, owner, stranger.id))).toBe('404 member_unknown')
    expect(codeOf(await transfer(id, member, owner.id))).toBe('403 permission_missing')
    expect(codeOf(await transfer(id, stranger, member.id))).toBe('404 organization_unknown')
    expect(codeOf(await transfer(nobody, owner, member.id))).toBe('404 organization_unknown')
    await service.sql('update account set disabled_at = now() where id = $1', [member.id])
    expect(codeOf(await transfer(id, owner, member.id))).toBe('409 last_owner')
    expect(await rolesIn(id)).toEqual({ [owner.id]: 'owner', [member.id]: 'member' })
    expect(await eventsOf(id)).toEqual([])
  })

  test('the second of two concurrent transfers fails, because its caller is no longer an owner', async () => {
    const { id, owner, member, stranger } = await organization()
    await service.sql(`insert into membership (organization_id, account_id, role_id) values ($1, $2, 'member')`, [
      id,
      stranger.id,
    ])
    const answers = await Promise.all([member, stranger].map((next) => transfer(id, owner, next.id)))
    expect(answers.map(codeOf).sort()).toEqual(['204', '403 permission_missing'])
    expect(Object.values(await rolesIn(id)).sort()).toEqual(['member', 'member', 'owner'])
  })
})

describe('the last owner', () => {
  test('409 last_owner — cannot leave, be demoted or be removed', async () => {
    const { id, owner } = await organization()
    const { token } = owner
    const demotion = service.call('PUT', path(id, `/members/${owner.id}/role`), { token, body: { role: 'member' } })
    expect(codeOf(await demotion)).toBe('409 last_owner')
    expect(codeOf(await service.call('DELETE', path(id, `/members/${owner.id}`), { token }))).toBe('409 last_owner')
    expect(codeOf(await service.post(path(id, '/leave'), { token }))).toBe('409 last_owner')
    expect(await rolesIn(id)).toMatchObject({ [owner.id]: 'owner' })
    expect(await eventsOf(id)).toEqual([])
  })

  test('409 last_owner — a disabled owner does not count', async () => {
    const { id, owner, member } = await organization()
    await service.sql(`update membership set role_id = 'owner' where organization_id = $1`, [id])
    await service.sql('update account set disabled_at = now() where id = $1', [member.id])
    expect(codeOf(await service.post(path(id, '/leave'), { token: owner.token }))).toBe('409 last_owner')
  })

  test('when two owners leave at the same time, one stays, in each of 20 organizations', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { id, owner, member } = await organization()
        await service.sql(`update membership set role_id = 'owner' where organization_id = $1`, [id])
        const answers = await Promise.all(
          [owner, member].map(({ token }) => service.post(path(id, '/leave'), { token })),
        )
        return { codes: answers.map(codeOf).sort(), left: Object.values(await rolesIn(id)) }
      }),
    )
    for (const outcome of outcomes) expect(outcome).toEqual({ codes: ['204', '409 last_owner'], left: ['owner'] })
  })

  test('when two owners remove each other at the same time, the second is no longer an owner', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { id, owner, member } = await organization()
        await service.sql(`update membership set role_id = 'owner' where organization_id = $1`, [id])
        const answers = await Promise.all([
          service.call('DELETE', path(id, `/members/${member.id}`), { token: owner.token }),
          service.call('PUT', path(id, `/members/${owner.id}/role`), { token: member.token, body: { role: 'member' } }),
        ])
        return {
          codes: answers.map(codeOf),
          owners: Object.values(await rolesIn(id)).filter((role) => role === 'owner'),
        }
      }),
    )
    for (const { codes, owners } of outcomes) {
      expect(owners).toHaveLength(1)
      expect(codes.filter((code) => code === '204')).toHaveLength(1)
    }
  })
})

describe('invitations', () => {
  test('201, 200 — the token is shown once, works once, and is stored only as a hash', async () => {
    const { id, owner, stranger } = await organization()
    const made = await service.post(path(id, '/invitations'), {
      token: owner.token,
      body: { role: 'owner', expiresInHours: 2 },
    })
    expect(made).toMatchObject({
      status: 201,
      body: { role: 'owner', token: expect.stringMatching(/^[\w-]{43}$/), expiresAt: expect.any(String) },
    })
    const { token, ...shown } = made.body as { token: string; id: string; createdAt: string; expiresAt: string }
    expect(Date.parse(shown.expiresAt) - Date.parse(shown.createdAt)).toBe(2 * 3_600_000)
    expect((await service.get(path(id, '/invitations'), { token: owner.token })).body).toEqual({ invitations: [shown] })

    expect((await accept(token, stranger)).body).toEqual({ id, name: 'Engines', role: 'owner' })
    expect(await rolesIn(id)).toMatchObject({ [stranger.id]: 'owner' })
    expect(codeOf(await accept(token, await person()))).toBe('404 invitation_unknown')
    expect((await service.get(path(id, '/invitations'), { token: owner.token })).body).toEqual({ invitations: [] })

    expect((await eventsOf(id)).map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['invitation.created', owner.id],
      ['invitation.accepted', stranger.id],
    ])
    const [dump] = await service.sql<{ text: string }>(
      `select coalesce(string_agg(i::text, ''), '') || (select string_agg(e::text, '') from audit_event e) as text from invitation i`,
    )
    expect(dump?.text).not.toContain(token)
    expect(await service.logged()).not.toContain(token)
  })

  test('200 — does not list expired invitations', async () => {
    const { id, owner } = await organization()
    await invitationTo(id, owner)
    await service.sql('update invitation set expires_at = now() where organization_id = $1', [id])
    expect((await service.get(path(id, '/invitations'), { token: owner.token })).body).toEqual({ invitations: [] })
  })

  testInProcess('50 people with one token at once: one is in', async () => {
    const { id, owner } = await organization()
    const { token } = await invitationTo(id, owner)
    const people = await Promise.all(Array.from({ length: 8 }, () => person()))
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => accept(token, people[n % 8] as Person)))
    const codes = answers.map(codeOf)
    expect(codes.filter((code) => code === '200')).toHaveLength(1)
    expect(new Set(codes)).toEqual(new Set(['200', '404 invitation_unknown']))
    expect(Object.keys(await rolesIn(id))).toHaveLength(3)
  })

  test('409 member_already — a member keeps the role, and another user can still use the token', async () => {
    const { id, owner, member, stranger } = await organization()
    const { token } = await invitationTo(id, owner, { role: 'owner' })
    expect(codeOf(await accept(token, member))).toBe('409 member_already')
    expect(await rolesIn(id)).toMatchObject({ [member.id]: 'member' })
    expect((await accept(token, stranger)).status).toBe(200)
  })

  const ends: Readonly<Record<string, (id: string, owner: Person, invitation: string) => Promise<unknown>>> = {
    'has expired': (_id, _owner, invitation) =>
      service.sql('update invitation set expires_at = now() where id = $1', [invitation]),
    'was revoked': async (id, { token }, invitation) => {
      const answer = await service.call('DELETE', path(id, `/invitations/${invitation}`), { token })
      expect(answer.status).toBe(204)
    },
    'was created by a member who may no longer invite': (id, owner) =>
      service.sql(`update membership set role_id = 'member' where organization_id = $1 and account_id = $2`, [
        id,
        owner.id,
      ]),
    'was created by a member who now manages only another organization': async (id, owner) => {
      await service.sql(`update membership set role_id = 'member' where organization_id = $1 and account_id = $2`, [
        id,
        owner.id,
      ])
      await service.sql(
        `with other as (insert into organization (name) values ('Elsewhere') returning id)
         insert into membership (organization_id, account_id, role_id) select id, $1, 'owner' from other`,
        [owner.id],
      )
    },
    'was created by a member who left': (id, owner) =>
      service.sql('delete from membership where organization_id = $1 and account_id = $2', [id, owner.id]),
    'was created by a disabled user': (_id, owner) =>
      service.sql('update account set disabled_at = now() where id = $1', [owner.id]),
    'was created by a deleted user': (_id, owner) => service.sql('delete from account where id = $1', [owner.id]),
    'belongs to a deleted organization': (id) => service.sql('delete from organization where id = $1', [id]),
  }
  test.each(Object.entries(ends))('404 invitation_unknown — a token that %s', async (_what, end) => {
    const { id, owner, stranger } = await organization()
    const { id: invitation, token } = await invitationTo(id, owner)
    await end(id, owner, invitation)
    expect(codeOf(await accept(token, stranger))).toBe('404 invitation_unknown')
  })

  test('404 invitation_unknown — revoking an unknown invitation, or one of another organization', async () => {
    const [mine, other] = [await organization(), await organization()]
    const { id: foreign } = await invitationTo(other.id, other.owner)
    for (const invitation of [foreign, nobody]) {
      const answer = service.call('DELETE', path(mine.id, `/invitations/${invitation}`), { token: mine.owner.token })
      expect(codeOf(await answer)).toBe('404 invitation_unknown')
    }
    expect((await service.get(path(other.id, '/invitations'), { token: other.owner.token })).body).toMatchObject({
      invitations: [{ id: foreign }],
    })
  })

  test('409 invitations_full — with 100 open ones, also for concurrent requests; expired ones do not count', async () => {
    const { id, owner } = await organization()
    await service.sql(
      `insert into invitation (organization_id, role_id, token_hash, expires_at)
       select $1::uuid, 'member', sha256(convert_to($1::text || n, 'UTF8')), now() + make_interval(hours => case when n < 98 then 1 else -1 end)
       from generate_series(1, 150) n`,
      [id],
    )
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => service.post(path(id, '/invitations'), { token: owner.token, body: {} })),
    )
    expect(answers.map(codeOf).sort()).toEqual([...Array(3).fill('201'), ...Array(7).fill('409 invitations_full')])
  })

  test.each([
    [{ expiresInHours: 0 }, '/expiresInHours'],
    [{ expiresInHours: 721 }, '/expiresInHours'],
    [{ expiresInHours: '2' }, '/expiresInHours'],
    [{ email: 'ada' }, '/email'],
    [{ email: 'ada@example.com', language: 'xx' }, '/language'],
    [{ mail: true }, '/mail'],
  ])('400 input_invalid — %j', async (body, pointer) => {
    const { id, owner } = await organization()
    const answer = await service.post(path(id, '/invitations'), { token: owner.token, body })
    expect(answer.body).toMatchObject({ code: 'input_invalid', errors: expect.arrayContaining([atPointer(pointer)]) })
  })

  test('401 — accepting without a token, as a disabled user, or after signing out', async () => {
    const { id, owner, stranger } = await organization()
    const { token } = await invitationTo(id, owner)
    const unsigned = await service.post('/api/v1/orgs/accept-invitation', { body: { token } })
    expect(codeOf(unsigned)).toBe('401 token_missing')
    await service.sql('update account set disabled_at = now() where id = $1', [stranger.id])
    expect(codeOf(await accept(token, stranger))).toBe('401 account_disabled')
    expect((await accept(token, await person())).status).toBe(200)
  })
})

describe('503 database_unavailable', () => {
  test('when another transaction holds the lock on the organization, after a bounded wait', async () => {
    const { id, owner } = await organization()
    const holder = await service.database.connect()
    await holder.query('begin')
    await holder.query('select from organization where id = $1 for update', [id])
    const answer = await service.post(path(id, '/leave'), { token: owner.token })
    await holder.query('rollback')
    await holder.end()
    expect(codeOf(answer)).toBe('503 database_unavailable')
    expect(codeOf(await service.post(path(id, '/leave'), { token: owner.token }))).toBe('409 last_owner')
  })
})
