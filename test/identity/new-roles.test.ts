import { expect, onTestFinished, test } from 'vitest'
import { createRole } from '../../src/identity/grants.ts'
import { reusedDatabase } from '../support/reused-database.ts'

test('creates a role once; a second role with the same id is neither created nor audited', async () => {
  const { database, sql, drop } = await reusedDatabase()
  onTestFinished(drop)
  expect(await createRole(database, { id: 'support', name: 'Support', forMembers: false })).toBe(true)
  expect(await createRole(database, { id: 'support', name: 'Another', forMembers: true })).toBe(false)
  expect(await sql(`select name, for_members from role where id = 'support'`)).toEqual([
    { name: 'Support', for_members: false },
  ])
  expect(await sql('select action, target_kind, target_id, details from audit_event')).toEqual([
    { action: 'role.created', target_kind: 'role', target_id: 'support', details: {} },
  ])
})
