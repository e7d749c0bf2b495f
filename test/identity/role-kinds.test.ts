import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FreshDatabase } from '../support/database.ts'
import { reusedDatabase } from '../support/reused-database.ts'

describe('the database rejects', () => {
  let fresh: FreshDatabase
  beforeAll(async () => {
    fresh = await reusedDatabase()
    await fresh.sql(`insert into role (id, name) values ('bare', 'Bare'), ('watcher', 'Watcher')`)
    await fresh.sql(`insert into role_grant values ('watcher', 'audit', 'read')`)
    await fresh.sql(`insert into account (role_id) values ('bare')`)
    await fresh.sql(`insert into organization (name) values ('Engines')`)
  })
  afterAll(() => fresh.drop())

  test.each<[string, string, string]>([
    [
      'a permission of the service for a role for members',
      `insert into role_grant values ('owner', 'users', 'disable')`,
      'role_grant_needs_role_for_accounts',
    ],
    [
      'creating organizations for a role for members',
      `insert into role_grant values ('member', 'organization', 'create')`,
      'role_grant_needs_role_for_accounts',
    ],
    [
      'a permission of the service for a plan',
      `insert into plan_grant values ('free', 'webhooks', 'manage')`,
      'plan_grant_is_not_for_the_service',
    ],
    [
      'a role for members for an account',
      `insert into account (role_id) values ('owner')`,
      'account_has_role_for_accounts',
    ],
    [
      'a role for accounts for a member',
      `insert into membership select o.id, a.id, 'admin' from organization o, account a`,
      'membership_has_role_for_members',
    ],
    [
      'a role for accounts for an invitation',
      `insert into invitation (organization_id, role_id, token_hash, expires_at) select id, 'user', '', now() from organization`,
      'invitation_has_role_for_members',
    ],
    [
      'a role for members for an invitation to sign up',
      `insert into sign_up_invitation (hash, email, role_id, expires_at) values ('', 'a@example.com', 'member', now())`,
      'sign_up_invitation_has_role_for_accounts',
    ],
    [
      'the other kind for a role that accounts have',
      `update role set for_members = true where id = 'bare'`,
      'account_has_role_for_accounts',
    ],
    [
      'the other kind for a role that grants permissions of the service',
      `update role set for_members = true where id = 'watcher'`,
      'role_grant_needs_role_for_accounts',
    ],
  ])('%s', async (_, statement, constraint) => {
    await expect(fresh.sql(statement)).rejects.toMatchObject({ constraint })
  })

  test('no product permissions, and no organization permissions for a role for members', async () => {
    await fresh.sql(`insert into role_grant select role, resource, 'edit'
      from unnest('{owner,user}'::text[]) role, unnest('{dns,provider_keys,billing}'::text[]) resource`)
    await fresh.sql(`insert into plan_grant values ('free', 'dns', 'edit'), ('free', 'organization', 'create')`)
  })
})
