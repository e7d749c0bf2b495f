import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { Secret } from '../../src/platform/secret.ts'
import { createServiceKey, rotateServiceKey } from '../../src/service-keys/service-keys.ts'
import { createPasswordAccount } from '../../src/sign-in/passwords/password-accounts.ts'
import { reusedDatabase } from '../support/reused-database.ts'
import { runMuster } from './run-muster.ts'

async function bench() {
  const fresh = await reusedDatabase()
  onTestFinished(() => fresh.drop())
  const env = { DATABASE_URL: fresh.url, MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64') }
  const password = new Secret('correct horse battery')
  for (const email of ['ada@example.com', 'eve@example.com'])
    await createPasswordAccount(fresh.database, { email, password, roleId: 'user' })
  const muster = (command: string) => runMuster(command.split(' '), { env })
  return {
    fresh,
    muster,
    async says(command: string, text: string) {
      expect(await muster(command)).toMatchObject({ code: 0, stdout: expect.stringContaining(text) })
    },
    async refuses(command: string, sentence: string) {
      expect(await muster(command)).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) })
    },
    async rows(command: string) {
      const { stdout, stderr, code } = await muster(command)
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
      return stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    },
  }
}

test('roles and grants commands create, grant, list, revoke and remove, and write each change to the audit log', async () => {
  const { says, refuses, rows } = await bench()
  await says('roles create support', 'Created the role support')
  await says('grants add role support users:list users:read', 'Granted: users:list, users:read')
  await says('grants remove role support users:read', 'Revoked: users:read')
  await says('users set-role ada@example.com support', 'Changed the role of ada@example.com from user to support')
  await says('roles require-mfa support', 'The role support now requires a second factor')
  await says('roles require-mfa support', 'Nothing to change')
  await refuses('roles require-mfa nobody', 'There is no role nobody')
  const listed = await rows('grants list')
  expect(listed).toContainEqual({
    kind: 'role',
    id: 'support',
    name: 'support',
    forMembers: false,
    requiresMfa: true,
    holders: 1,
    grants: ['users:list'],
  })
  await says('roles require-mfa support --off', 'no longer requires a second factor')
  await refuses('roles remove support', 'Nothing was changed')
  await refuses('grants add role nobody users:list', 'There is no role nobody')
  await refuses('grants add plan free users', 'is not a permission')
  await refuses('users set-role ada@example.com nobody', 'There is no role nobody')
  const events = await rows('audit --since 1h --action role')
  expect(events.map(({ action }) => action)).toEqual([
    'role.mfa_changed',
    'role.mfa_changed',
    'role.revoked',
    'role.granted',
    'role.granted',
    'role.created',
  ])
})

test('rejects permissions and roles of the wrong kind with a sentence and changes nothing', async () => {
  const { fresh, says, refuses } = await bench()
  await says('roles create editor --for-members', 'Created the role editor')
  await says('plans create pro', 'Created the plan pro')
  await says('orgs create Engines', 'Engines')
  await says('orgs add-member Engines ada@example.com', 'with the role member')
  const state = () =>
    fresh.sql(`select role_id, resource, action from role_grant union all select plan_id, resource, action from plan_grant
               union all select role_id, '', '' from account union all select role_id, '', '' from membership
               union all select role_id, '', '' from invitation union all select role_id, '', '' from sign_up_invitation
               order by 1, 2, 3`)
  const before = await state()
  const ofMembers = 'editor is a role for members of organizations: only roles for accounts can grant'
  await refuses('grants add role editor dns:edit users:list audit:read', `${ofMembers} users:list, audit:read.`)
  await refuses('grants add role editor organization:create', `${ofMembers} organization:create.`)
  await refuses('grants add plan pro system:read', 'pro is a plan: only roles for accounts can grant system:read.')
  await refuses('plans grant pro dns:edit users:read', 'pro is a plan: only roles for accounts can grant users:read.')
  const forMembers = 'for members of organizations. Available roles: editor, member, owner.'
  await refuses('orgs add-member Engines eve@example.com --role admin', `The role admin is not ${forMembers}`)
  await refuses('orgs set-role Engines ada@example.com admin', forMembers)
  await refuses('orgs invite Engines --role user', forMembers)
  const forAccounts = 'The role editor is not for users. Available roles: admin, user.'
  await refuses('users set-role ada@example.com editor', forAccounts)
  await refuses('users invite --email new@example.com --role editor', forAccounts)
  await refuses('users create --email new@example.com --role editor --generate-password', forAccounts)
  expect(await state()).toEqual(before)
  await says('grants add role editor dns:edit billing:manage', 'Granted: dns:edit, billing:manage')
  await says('plans grant pro dns:edit organization:create', 'Granted: dns:edit, organization:create')
  await says('grants add role admin dns:edit', 'Granted: dns:edit')
})

test('protects the last administrator, and the audit log names the operator', async () => {
  const { says, refuses, rows } = await bench()
  // Without any administrator, where another product manages the users, nothing is held up.
  await says('users disable eve@example.com', 'is now disabled')
  await says('users enable eve@example.com', 'is now enabled')
  await says('users set-role ada@example.com admin', 'from user to admin')
  for (const command of [
    'users disable ada@example.com',
    'users set-role ada@example.com user',
    'grants remove role admin users:enable',
    'grants remove role admin users:change_role',
  ])
    await refuses(command, 'Make another user an administrator first.')
  expect(await rows('users list')).toContainEqual(
    expect.objectContaining({ email: 'ada@example.com', role: 'admin', status: 'active' }),
  )
  await says('grants remove role admin users:list', 'Revoked: users:list')
  await says('users set-role eve@example.com admin', 'from user to admin')
  await says('users disable ada@example.com', 'is now disabled')
  await refuses('users set-role eve@example.com user', 'Make another user an administrator first.')
  const events = await rows('audit --since 1h')
  expect(events.length).toBeGreaterThan(4)
  for (const event of events) expect(event).toMatchObject({ operator: userInfo().username })
})

test('orgs commands list, promote, invite and remove members, and protect the last owner', async () => {
  const { says, refuses, rows, muster } = await bench()
  await says('orgs create Engines', 'Engines')
  await says('orgs add-member Engines ada@example.com --role owner', 'with the role owner')
  await refuses('orgs set-role Engines ada@example.com member', 'Make another member an owner first')
  await refuses('orgs remove-member Engines ada@example.com', 'Make another member an owner first')
  await refuses('orgs remove-member Engines eve@example.com', 'has no such member')
  await says('orgs add-member Engines eve@example.com', 'with the role member')
  await says('orgs set-role Engines eve@example.com owner', 'now has the role owner in Engines')
  await says('orgs remove-member Engines ada@example.com', 'is no longer a member')
  expect(await rows('orgs members Engines')).toMatchObject([{ email: 'eve@example.com', role: 'owner' }])
  const invited = await muster('orgs invite Engines --hours 2')
  expect(invited.stdout).toMatch(/^[\w-]{43}\n$/)
  await refuses('orgs invite Engines --hours 0', 'from 1 to 720')
  const events = await rows('audit --json')
  expect(events[0]).toMatchObject({ action: 'invitation.created' })
  expect(JSON.stringify(events)).not.toContain(invited.stdout.trim())
})

test('orgs commands invite by email, show, rename and delete, and stop at a subscription that has not ended', async () => {
  const { says, refuses, rows, muster, fresh } = await bench()
  await says('orgs create Engines', 'Engines')
  const invited = await muster('orgs invite Engines --email Alan@Example.com')
  expect(invited).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Invited alan@example\.com to Engines with the role member, until .+Z\.\n$/),
    stderr: expect.stringContaining('No mail was sent. The user sees the invitation after signing in.'),
  })
  await refuses('orgs invite Engines --email alan@example.com', 'This email has an open invitation')
  await refuses('orgs invite Engines --email nowhere', 'must be an email')
  await says('orgs rename Engines Mills', 'Engines is now called Mills.')
  await refuses('orgs show Engines', 'No organization has the name or ID Engines')
  const [{ id }, ...others] = await rows('orgs show Mills --json')
  expect(others).toEqual([])
  await fresh.sql(`insert into customer (id, organization_id) values ('cus_1', $1)`, [id])
  await fresh.sql(
    `insert into subscription (id, customer_id, price_ids, status, created_at, seen_at, seen_rank)
     values ('sub_1', 'cus_1', '{price_team}', 'past_due', now(), now(), 0)`,
  )
  expect(await rows('orgs show Mills --json')).toEqual([
    {
      id,
      name: 'Mills',
      createdAt: expect.any(String),
      requiresMfa: false,
      plan: 'price_team',
      members: 0,
      invitations: 1,
      serviceKeys: 0,
      customers: [{ id: 'cus_1', processor: 'stripe' }],
    },
  ])
  await refuses('orgs delete Mills', 'sub_1')
  expect(await muster('orgs delete Mills --ignore-subscriptions')).toEqual({
    code: 0,
    stdout: 'Deleted Mills.\n',
    stderr: expect.stringContaining('The customer cus_1 still exists at stripe.'),
  })
  expect(await rows('orgs list --json')).toEqual([])
  const operator = { operator: userInfo().username }
  expect(await rows('audit --json')).toMatchObject([
    { action: 'organization.deleted', details: { name: 'Mills', subscriptions: ['sub_1'] }, ...operator },
    { action: 'organization.renamed', details: { from: 'Engines', to: 'Mills' }, ...operator },
    { action: 'invitation.created', details: { role: 'member', isMailed: false }, ...operator },
    { action: 'organization.created', ...operator },
  ])
})

test('audit filters by actor and time, and rejects a malformed time and an unknown actor', async () => {
  const { rows, refuses } = await bench()
  expect(await rows('audit --actor ada@example.com')).toEqual([])
  expect(await rows('audit --since 2999-01-01')).toEqual([])
  await refuses('audit --since yesterday', 'is not a time')
  await refuses('audit --actor nobody@example.com', 'No user or service key matches')
})

test('audit finds the actions of a service key by name, across rotations, and by the key itself', async () => {
  const { fresh, rows, refuses } = await bench()
  const { database } = fresh
  const wanted = { name: 'report', grants: [{ resource: 'users', action: 'list' }], expiresInDays: 30 }
  const made = await createServiceKey(database, 'operator', wanted)
  const rotated = await rotateServiceKey(database, 'operator', { keyId: made.id, overlapSeconds: 60 })
  const text = `insert into audit_event (action, actor_id, actor_kind) values ('a.b', $1, 'service')`
  for (const { id } of [made, rotated]) await fresh.sql(text, [id])
  const idsOf = async (who: string) => (await rows(`audit --actor ${who}`)).map(({ actorId }) => actorId)
  expect(await idsOf('report')).toEqual([rotated.id, made.id])
  expect(await idsOf(made.key)).toEqual([made.id])
  await refuses('audit --actor msk_unknown', 'No service key matches')
})

test('directory shows the view, and rejects a product whose tables do not exist', async () => {
  const { says, refuses } = await bench()
  await says('directory show', 'FROM second_factor')
  await says('directory use own', 'reads second factors from its own tables')
  await refuses(
    'directory use supabase --issuer https://abcd.supabase.co/auth/v1',
    'The table auth.mfa_factors does not exist',
  )
  await refuses('directory use supabase', 'Add --issuer')
  await says(
    'directory use supabase --passkeys --issuer https://abcd.supabase.co/auth/v1 --print',
    'auth.webauthn_credentials',
  )
  await refuses('directory use own --passkeys', '--passkeys works only with supabase')
  await refuses('directory use ldap', 'There is no directory ldap')
})

test('service-keys commands create, list, rotate and revoke, write each change to the audit log, and print a key once', async () => {
  const { muster, says, refuses, rows } = await bench()
  await says('orgs create Engines', 'Engines')
  const made = await muster('service-keys create report users:list user_data:read --days 30 --org Engines')
  expect(made.stdout).toMatch(/^msk_[0-9A-Za-z]{49}\n$/)
  expect(await rows('service-keys list')).toMatchObject([
    { name: 'report', status: 'active', permissions: { user_data: ['read'], users: ['list'] } },
  ])
  await refuses('service-keys create report users:list', 'A valid key has this name. Rotate it, or revoke it first.')
  await refuses('service-keys create other users:disable', 'A service key cannot have the permission users:disable')
  await refuses('service-keys create other users:list --days 367', 'from 1 to 366')
  const rotated = await muster('service-keys rotate report --overlap 60 --json')
  expect(JSON.parse(rotated.stdout)).toMatchObject({ name: 'report', key: expect.stringMatching(/^msk_/) })
  await says('service-keys revoke report', 'Revoked the service key report')
  await refuses('service-keys rotate report', 'There is no service key report')
  const events = await rows('audit --since 1h --action service_key')
  expect(events.map(({ action, actorKind }) => `${actorKind} ${action}`)).toEqual(
    ['revoked', 'rotated', 'created'].map((done) => `operator service_key.${done}`),
  )
  expect(JSON.stringify(events)).not.toContain(made.stdout.trim())
})
