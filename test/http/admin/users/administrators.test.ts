import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import { type Person, type Service, serviceForTest } from '../../../support/service.ts'

const builtInIssuer = 'urn:muster:issuer'

describe('the last administrator who can sign in', () => {
  const configured = 'https://id.example.com'
  const issuers = [
    {
      issuer: configured,
      algorithms: ['HS256'],
      audience: 'app',
      secret: 'secret-of-thirty-two-characters-',
      keys: 'none',
    },
  ]
  const withIssuer = { MUSTER_ISSUERS: JSON.stringify(issuers) }

  /** Changes that would leave only an administrator who cannot sign in. */
  const changes: Readonly<Record<string, (service: Service, admin: Person) => ReturnType<Service['call']>>> = {
    disabling: (service, admin) => change(service, admin, 'POST', '/disable'),
    demoting: (service, admin) => change(service, admin, 'PUT', '/role', { role: 'user' }),
    deleting: (service, admin) => change(service, admin, 'DELETE', ''),
    'deleting their own account': (service, { token }) => service.post('/auth/account/erase', { token }),
  }

  function change(service: Service, { id, token }: Person, method: string, rest: string, body?: object) {
    const call = { token, headers: { 'if-match': '*' }, ...(body && { body }) }
    return service.call(method, `/api/v1/admin/users/${id}${rest}`, call)
  }

  /** Another administrator, created by an import or SQL without a way to sign in. */
  async function addAdministrator({ sql }: Service, identity?: { issuer: string }): Promise<string> {
    const [row] = await sql<{ id: string }>(`insert into account (role_id) values ('admin') returning id`)
    if (identity)
      await sql('insert into identity select $1, id, id from account where id = $2', [identity.issuer, row?.id])
    return String(row?.id)
  }

  async function addPassword({ sql }: Service, id: string, initialUntil: string | null = null): Promise<void> {
    await sql(
      `insert into credential (account_id, email, password, initial_until) values ($1::uuid, $1::text || '@example.com', '', now() + $2::interval)`,
      [id, initialUntil],
    )
  }

  test.each(Object.entries(changes))(
    'is kept: 409 for %s, even with administrators who cannot sign in',
    async (_, run) => {
      const service = await serviceForTest({ env: withIssuer })
      const admin = await service.person({ role: 'admin' })
      await addAdministrator(service)
      await addAdministrator(service, { issuer: builtInIssuer })
      await addAdministrator(service, { issuer: 'https://former.example.com' })
      await addAdministrator(service, { issuer: 'urn:muster:import:auth0' })
      await addPassword(service, await addAdministrator(service, { issuer: builtInIssuer }), '-1 day')
      const disabled = await addAdministrator(service, { issuer: configured })
      await service.sql('update account set disabled_at = now() where id = $1', [disabled])
      expect(problemOf(await run(service, admin))).toEqual({ status: 409, code: 'last_administrator' })
    },
  )

  test.each<[string, (service: Service) => Promise<unknown>]>([
    [
      'with a password',
      async (service) => addPassword(service, await addAdministrator(service, { issuer: builtInIssuer })),
    ],
    [
      'with an initial password that still works',
      async (service) => addPassword(service, await addAdministrator(service, { issuer: builtInIssuer }), '1 day'),
    ],
    [
      'with a passkey',
      async (service) => {
        const id = await addAdministrator(service, { issuer: builtInIssuer })
        await addPassword(service, id, '-1 day')
        await service.sql(
          `insert into passkey (account_id, friendly_name, credential_id, public_key, aaguid) values ($1::uuid, 'Laptop', '\\x00', '', $1::uuid)`,
          [id],
        )
      },
    ],
    ['at a configured issuer', (service) => addAdministrator(service, { issuer: configured })],
  ])('may go beside another one %s', async (_, add) => {
    const service = await serviceForTest({ env: withIssuer })
    const admin = await service.person({ role: 'admin' })
    await add(service)
    expect((await change(service, admin, 'PUT', '/role', { role: 'user' })).status).toBe(200)
  })
})

test('list, filter, system state and second-factor finding agree that an administrator is an enabled user whose role can make administrators', async () => {
  const service = await serviceForTest()
  await service.sql(`insert into role (id, name) values ('chief', 'Chief'), ('half', 'Half')`)
  await service.sql(
    `insert into role_grant values ('chief', 'users', 'change_role'), ('chief', 'users', 'enable'), ('half', 'users', 'enable')`,
  )
  const root = await service.person({ role: 'admin' })
  const [chief, half, user] = [
    await service.person({ role: 'chief' }),
    await service.person({ role: 'half' }),
    await service.person(),
  ]
  const disabled = await service.person({ role: 'chief' })
  await service.sql('update account set disabled_at = now() where id = $1', [disabled.id])
  const listed = async (query: string) => {
    const { body } = await service.get(`/api/v1/admin/users?${query}`, { token: root.token })
    return new Map(
      (body as { users: { id: string; isAdministrator: boolean }[] }).users.map((one) => [one.id, one.isAdministrator]),
    )
  }
  const all = await listed('')
  expect([root, chief, half, user, disabled].map(({ id }) => all.get(id))).toEqual([true, true, false, false, false])
  expect([...(await listed('administrator=true')).keys()].sort()).toEqual([root.id, chief.id].sort())
  expect([...(await listed('administrator=false')).keys()].sort()).toEqual([half.id, user.id, disabled.id].sort())
  const fetched = await service.get('/api/v1/admin/users/fetch?administrator=true', { token: root.token })
  expect(Object(fetched.body).users).toHaveLength(2)
  const advice = async () => {
    const { body } = await service.get('/api/v1/admin/system', { token: root.token })
    return (body as { advice: { code: string; values: object }[] }).advice
  }
  expect(await advice()).toContainEqual(
    expect.objectContaining({ code: 'administrators_weak', values: { count: '2' } }),
  )
  expect((await advice()).map(({ code }) => code)).not.toContain('administrator_missing')
  await service.sql('delete from credential')
  expect(await advice()).toContainEqual(
    expect.objectContaining({ code: 'administrator_missing', detail: 'No administrator can sign in.' }),
  )
})
