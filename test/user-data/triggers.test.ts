import { expect, onTestFinished, test } from 'vitest'
import { userDataStatement } from '../../src/user-data/query.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

/** Inserts that change no cached answer, each with the reason. */
const silentInserts: Readonly<Record<string, string>> = {
  account: 'no answer is cached for an account that did not exist',
  identity: 'an answer is cached under issuer and subject, and for these two there was no account',
  session: 'an answer is cached under its session, and a new session has none',
  role: 'a new role is given to no account',
}

test('every table that user data is read from announces its changes', async () => {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const tables = await tablesRead(fresh)
  expect(tables).toEqual(
    expect.arrayContaining(['account', 'factor', 'membership', 'plan_price', 'role_grant', 'subscription']),
  )
  for (const table of tables) {
    const { inserts, updates, deletes } = await announced(fresh, table)
    expect({ table, inserts: inserts || table in silentInserts, updates, deletes }).toEqual({
      table,
      inserts: true,
      updates: true,
      deletes: true,
    })
  }
})

/** By the plan, in which views are resolved to their tables. */
async function tablesRead(fresh: FreshDatabase): Promise<readonly string[]> {
  const plan = JSON.stringify(
    await fresh.sql(`explain (format json) ${userDataStatement.text.replaceAll(/\$\d/g, "'{}'")}`),
  )
  return [...new Set([...plan.matchAll(/"Relation Name":"(\w+)"/g)].map(([, name = '']) => name))].sort()
}

async function announced(fresh: FreshDatabase, table: string) {
  const [row] = await fresh.sql<{ inserts: boolean; updates: boolean; deletes: boolean }>(
    // Bits of `tgtype`: 4 insert, 8 delete, 16 update.
    `
select coalesce(bool_or(t.tgtype & 4 > 0), false) as inserts, coalesce(bool_or(t.tgtype & 16 > 0), false) as updates,
       coalesce(bool_or(t.tgtype & 8 > 0), false) as deletes
from pg_trigger t join pg_proc p on p.oid = t.tgfoid
where t.tgrelid = $1::regclass and not t.tgisinternal and p.proname like 'tell\\_%'`,
    [table],
  )
  return row ?? { inserts: false, updates: false, deletes: false }
}
