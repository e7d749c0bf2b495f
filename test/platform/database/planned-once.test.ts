import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthorize } from '../../../src/identity/authorize.ts'
import { createAuditRecorder } from '../../../src/platform/audit/audit.ts'
import type { Rows } from '../../../src/platform/database/database.ts'
import type { UserCaller } from '../../../src/platform/http/caller.ts'
import { createRateLimits } from '../../../src/platform/rate-limits.ts'
import { createUserData } from '../../../src/user-data/query.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'

const caller: UserCaller = {
  kind: 'user',
  key: 'k',
  issuer: 'https://id.example',
  subject: '1@example.com',
  emailTrusted: false,
  provisions: false,
}

let fresh: FreshDatabase
let client: Client
let rows: Rows
beforeAll(async () => {
  fresh = await freshDatabase()
  client = new Client(fresh.url)
  await client.connect()
  rows = {
    async query<Row extends object>({ name, text }: { name: string; text: string }, values: readonly unknown[]) {
      return (await client.query<Row>({ name, text, values: [...values] })).rows
    },
  }
  // With statistics, the planner prefers custom plans for certain values.
  await fresh.sql(`insert into account (email) select i || '@example.com' from generate_series(1, 20000) i`)
  await fresh.sql('insert into identity (issuer, subject, account_id) select $1, email, id from account', [
    caller.issuer,
  ])
  await fresh.sql('analyze')
})
afterAll(async () => {
  await client.end()
  await fresh.drop()
})

/** Statements of every request and of periodic jobs, by name. */
const work: Readonly<Record<string, () => () => Promise<unknown>>> = {
  user_data() {
    const read = createUserData(rows)
    return () => read(caller, {})
  },
  authorize() {
    const authorize = createAuthorize(rows)
    return () => authorize(caller, 'caller')
  },
  rate_limit_count() {
    const policies = { checks: { quota: 1_000_000, windowSeconds: 60 } }
    const limits = createRateLimits({ side: rows }, policies, Date.now)
    return () => limits.take('checks', randomUUID())
  },
  audit_insert() {
    const record = createAuditRecorder(rows)
    return () => record({ action: 'provider_key.checked' })
  },
}

test.each(Object.keys(work))('%s is planned only for the first calls of a connection, for any values', async (name) => {
  const once = work[name]?.()
  for (let call = 0; call < 20; call += 1) await once?.()
  const plans = 'select generic_plans::int as generic from pg_prepared_statements where name = $1'
  const [found] = (await client.query<{ generic: number }>(plans, [name])).rows
  expect(found?.generic).toBeGreaterThanOrEqual(10)
})
