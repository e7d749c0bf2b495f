import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireHolds, requireRoleChange } from '../../src/identity/require-holds.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

/** Two resources with a common action, so that the test fails if only the resource or only the action is compared. */
const grants = ['tickets:read', 'tickets:close', 'tickets:export', 'reports:read', 'reports:export'] as const
const sets = Array.from({ length: 2 ** grants.length }, (_, bits) => bits)
const nobody = '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f'
const roleOf = (bits: number) => `set_${bits}`
const memberRoleOf = (bits: number) => `member_set_${bits}`
const namesOf = (bits: number) => grants.filter((_, bit) => bits & (1 << bit))

let fresh: FreshDatabase
let organizationId: string
/** By the bits of its role. */
let accounts: readonly string[]

beforeAll(async () => {
  fresh = await freshDatabase()
  for (const bits of sets) {
    const roles = [roleOf(bits), memberRoleOf(bits)]
    await fresh.sql('insert into role (id, name, for_members) values ($1, $1, false), ($2, $2, true)', roles)
    await fresh.sql(
      `insert into role_grant select role, split_part(name, ':', 1), split_part(name, ':', 2)
       from unnest($1::text[]) role, unnest($2::text[]) name`,
      [roles, namesOf(bits)],
    )
  }
  const [organization] = await fresh.sql<{ id: string }>(`insert into organization (name) values ('One') returning id`)
  organizationId = String(organization?.id)
  // In the organization, each account has the role with the opposite grants, so that mixing up the two roles fails.
  const made = await fresh.sql<{ id: string }>(
    `with made as (
       insert into account (role_id) select 'set_' || n from generate_series(0, $2::int) n returning id, role_id
     ), members as (
       insert into membership (organization_id, account_id, role_id)
       select $1, id, 'member_set_' || ($2 - substr(role_id, 5)::int) from made
     )
     select id from made order by substr(role_id, 5)::int`,
    [organizationId, sets.length - 1],
  )
  accounts = made.map(({ id }) => id)
})
afterAll(() => fresh.drop())

/** The results for all pairs of roles, 32 at a time because of the pool limits. */
async function ofPairs<Result>(
  check: (pair: { held: number; wanted: number }) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const held of sets) results.push(...(await Promise.all(sets.map((wanted) => check({ held, wanted })))).flat())
  return results
}

/** Undefined if allowed, otherwise the code and the missing permissions. */
async function refusalOf(check: Promise<void>): Promise<{ code: string; missing: string[] } | undefined> {
  try {
    await check
    return undefined
  } catch (error) {
    const { code, more } = error as { code: string; more: { missing?: Record<string, string[]> } }
    const missing = Object.entries(more.missing ?? {}).flatMap(([resource, actions]) =>
      actions.map((action) => `${resource}:${action}`),
    )
    return { code, missing: missing.sort() }
  }
}

const expected = (held: number, wanted: number) =>
  (wanted & ~held) === 0 ? undefined : { code: 'permission_exceeds', missing: namesOf(wanted & ~held).sort() }

test('for all pairs of roles over five grants: only a role that grants everything can assign, change or remove a role', async () => {
  const wrong = await ofPairs(async ({ held, wanted }) => {
    const found = await refusalOf(requireHolds(fresh.database, String(accounts[held]), [roleOf(wanted)], 'account'))
    return JSON.stringify(found) === JSON.stringify(expected(held, wanted)) ? [] : [{ held, wanted, found }]
  })
  expect(wrong).toEqual([])
})

test('in an organization the role there decides, and never the role of the account', async () => {
  const scope = { organizationId }
  const wrong = await ofPairs(async ({ held, wanted }) => {
    const account = String(accounts[sets.length - 1 - held])
    const found = await refusalOf(requireHolds(fresh.database, account, [memberRoleOf(wanted)], scope))
    return JSON.stringify(found) === JSON.stringify(expected(held, wanted)) ? [] : [{ held, wanted, found }]
  })
  expect(wrong).toEqual([])
})

test('a change of role requires all grants of both roles; callers change their own role only to one that grants less', async () => {
  const wrong = await ofPairs(async ({ held, wanted }) => {
    const callerId = String(accounts[held])
    const other = { callerId, accountId: nobody, from: roleOf(wanted), to: roleOf(0) }
    const self = { callerId, accountId: callerId, from: roleOf(held), to: roleOf(wanted) }
    const [taken, own] = await Promise.all([
      refusalOf(requireRoleChange(fresh.database, other, 'account')),
      refusalOf(requireRoleChange(fresh.database, self, 'account')),
    ])
    const isStepDown = held !== wanted && (wanted & ~held) === 0
    const ownExpected = isStepDown ? undefined : { code: 'self_change', missing: [] }
    const asExpected = { taken: expected(held, wanted), own: ownExpected }
    return JSON.stringify({ taken, own }) === JSON.stringify(asExpected) ? [] : [{ held, wanted, taken, own }]
  })
  expect(wrong).toEqual([])
})
