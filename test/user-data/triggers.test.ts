import fc from 'fast-check'
import { DatabaseError } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Caller } from '../../src/identity/caller.ts'
import { Problem } from '../../src/platform/problems.ts'
import { createResponseCache } from '../../src/user-data/cache.ts'
import { createUserData, userDataStatement } from '../../src/user-data/query.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { type Person, type Service, serviceForTest } from '../support/service.ts'

/** Inserts that change no cached answer, each with the reason. */
const silentInserts: Readonly<Record<string, string>> = {
  account: 'no answer is cached for an account that did not exist',
  identity: 'an answer is cached under issuer and subject, and for these two there was no account',
  session: 'an answer is cached under its session, and a new session has none',
  role: 'a new role is given to no account',
  organization: 'a new organisation has no members',
}

test('every table that user data is read from announces its changes', async () => {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const tables = await tablesRead(fresh)
  expect(tables).toEqual(
    expect.arrayContaining(['account', 'factor', 'membership', 'passkey', 'plan_price', 'role_grant', 'subscription']),
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
where t.tgrelid = $1::regclass and not t.tgisinternal and p.proname like 'tell_%'`,
    [table],
  )
  return row ?? { inserts: false, updates: false, deletes: false }
}

/** Two people, Ada and Ben, an organisation, and what the statements of this file name. */
const scene = `
insert into account (id, email) values
  ('a0000000-0000-7000-8000-000000000001', 'ada@example.com'), ('b0000000-0000-7000-8000-000000000002', 'ben@example.com'),
  ('c0000000-0000-7000-8000-000000000003', 'without-identity@example.com');
insert into identity values
  ('i', 'ada', 'a0000000-0000-7000-8000-000000000001'), ('i', 'ben', 'b0000000-0000-7000-8000-000000000002');
insert into organization (id, name) values ('d0000000-0000-7000-8000-000000000004', 'Engines');
insert into role (id, name) values ('clerk', 'Clerk');
insert into plan (id, name) values ('gold', 'Gold');
insert into customer (id, account_id) values ('cus_ada', 'a0000000-0000-7000-8000-000000000001'), ('cus_ben', 'b0000000-0000-7000-8000-000000000002'),
  ('cus_unowned', null);
insert into credential (account_id, email, password) values ('a0000000-0000-7000-8000-000000000001', 'ada@example.com', '');
insert into session (id, account_id, amr, expires_at) select gen_random_uuid(), account_id, '{}', now() + interval '1 day' from identity`

const ada = 'account:a0000000-0000-7000-8000-000000000001'
const ben = 'account:b0000000-0000-7000-8000-000000000002'
const engines = 'organization:d0000000-0000-7000-8000-000000000004'
const adaId = `'a0000000-0000-7000-8000-000000000001'`
const benId = `'b0000000-0000-7000-8000-000000000002'`
const enginesId = `'d0000000-0000-7000-8000-000000000004'`

type Change = readonly [trigger: string, change: string, events: readonly string[]]

/** For each trigger a change that it alone announces, in full or in part, and every event of that change. In this order. */
const changes: readonly Change[] = [
  ['account_updated', `update account set disabled_at = now() where id = ${adaId}`, [ada]],
  [
    'account_deleted',
    `delete from account where email = 'without-identity@example.com'`,
    ['account:c0000000-0000-7000-8000-000000000003'],
  ],
  [
    'membership_inserted',
    `insert into membership (organization_id, account_id) values (${enginesId}, ${adaId})`,
    [ada],
  ],
  ['membership_updated', `update membership set role_id = 'owner' where account_id = ${adaId}`, [ada]],
  ['membership_deleted', `delete from membership where account_id = ${adaId}`, [ada]],
  [
    'factor_inserted',
    `insert into factor (account_id, friendly_name, secret, verified_at) values (${adaId}, 'Phone', '', now())`,
    [ada],
  ],
  ['factor_updated', `update factor set friendly_name = 'Tablet' where account_id = ${adaId}`, [ada]],
  ['factor_deleted', `delete from factor where account_id = ${adaId}`, [ada]],
  [
    'passkey_inserted',
    `insert into passkey (account_id, friendly_name, credential_id, public_key, aaguid) values (${adaId}, 'Laptop', '\\x01', '', ${adaId})`,
    [ada],
  ],
  ['passkey_updated', `update passkey set friendly_name = 'Key' where account_id = ${adaId}`, [ada]],
  ['passkey_deleted', `delete from passkey where account_id = ${adaId}`, [ada]],
  ['session_updated', `update session set amr = '{pwd,otp,mfa}' where account_id = ${adaId}`, [ada]],
  ['organization_updated', `update organization set requires_mfa = true where id = ${enginesId}`, [engines]],
  ['session_deleted', `delete from session where account_id = ${adaId}`, [ada]],
  ['customer_inserted', `insert into customer (id, organization_id) values ('cus_org', ${enginesId})`, [engines]],
  [
    'subscription_inserted',
    `insert into subscription values ('sub', 'cus_ada', 'price', null, 'active', now(), now(), 0)`,
    [ada],
  ],
  ['subscription_updated', `update subscription set customer_id = 'cus_ben' where id = 'sub'`, [ada, ben]],
  ['subscription_updated_from', `update subscription set customer_id = 'cus_org' where id = 'sub'`, [ben, engines]],
  ['subscription_deleted', `delete from subscription`, [engines]],
  ['customer_updated', `update customer set account_id = ${benId} where id = 'cus_ada'`, [ada, ben]],
  ['customer_updated_from', `update customer set account_id = null where id = 'cus_ada'`, [ben]],
  ['customer_deleted', `delete from customer where id = 'cus_org'`, [engines]],
  ['identity_updated', `update identity set subject = 'ada-2' where subject = 'ada'`, [ada]],
  ['identity_deleted', `delete from identity where subject = 'ada-2'`, [ada]],
  ['role_changed', `update role set name = 'Officer' where id = 'clerk'`, ['all']],
  ['role_grant_changed', `insert into role_grant values ('clerk', 'a', 'b')`, ['all']],
  ['plan_changed', `update plan set name = 'Golden' where id = 'gold'`, ['all']],
  ['plan_grant_changed', `insert into plan_grant values ('gold', 'a', 'b')`, ['all']],
  ['plan_price_changed', `insert into plan_price values ('price', 'gold')`, ['all']],
  ['organization_deleted', `delete from organization where id = ${enginesId}`, [engines]],
]

test('every trigger that sends events has a change that it alone announces, to those concerned and to no other', async () => {
  const [whole, lacking] = [await withEvents(), await withEvents()]
  expect(changes.map(([trigger]) => trigger).sort()).toEqual(Object.keys(await triggersOf(whole.fresh)).sort())
  const tables = await triggersOf(whole.fresh)
  for (const { fresh } of [whole, lacking]) await fresh.sql(scene)
  for (const [trigger, change, events] of changes) {
    expect({ change, events: await whole.eventsOf(change) }).toEqual({ change, events })
    await lacking.fresh.sql(`alter table ${tables[trigger]} disable trigger ${trigger}`)
    expect(await lacking.eventsOf(change), `without ${trigger}`).not.toEqual(events)
    await lacking.fresh.sql(`alter table ${tables[trigger]} enable trigger ${trigger}`)
  }
})

const silentChanges: readonly (readonly [what: string, change: string])[] = [
  ['a new account', `insert into account (email) values ('new@example.com')`],
  ['a new identity', `insert into identity values ('i', 'new', ${adaId})`],
  [
    'a new session',
    `insert into session (account_id, amr, expires_at) values (${adaId}, '{}', now() + interval '1 hour')`,
  ],
  ['the use of a session', `update session set last_used_at = now()`],
  ['a new name of an organisation', `update organization set name = 'Engine' where id = ${enginesId}`],
  ['a new role', `insert into role (id, name) values ('new', 'New')`],
  ['a customer without an owner', `insert into customer (id) values ('cus_new')`],
  [
    'a subscription without an owner',
    `insert into subscription values ('sub', 'cus_unowned', 'p', null, 'active', now(), now(), 0)`,
  ],
  ['a change of no row', `update account set disabled_at = now() where false`],
]

test('a change that no cached response shows sends no event', async () => {
  const { fresh, eventsOf } = await withEvents()
  await fresh.sql(scene)
  for (const [what, change] of silentChanges)
    expect({ what, events: await eventsOf(change) }).toEqual({ what, events: [] })
})

/** Statements that change a row of each of the first `count` accounts. */
const ofManyAccounts: Readonly<Record<string, (count: number) => string>> = {
  accounts: (count) => `update account a set disabled_at = now() from numbered n where n.id = a.id and n.n <= ${count}`,
  'ends of sessions': (count) =>
    `update session s set ended_at = now() from numbered n where n.id = s.account_id and n.n <= ${count}`,
  factors: (count) =>
    `update factor f set friendly_name = 'Phone ${count}' from numbered n where n.id = f.account_id and n.n <= ${count}`,
  customers: (count) =>
    `update customer c set deleted_at = now() from numbered n where n.id = c.account_id and n.n <= ${count}`,
  subscriptions: (count) =>
    `update subscription s set status = 'paused' from customer c join numbered n on n.id = c.account_id
     where c.id = s.customer_id and n.n <= ${count}`,
}

test('100 accounts that one statement changes get an event each; for 101 and for 1,001 one event concerns everyone, and few are beside it', async () => {
  const { fresh, eventsOf } = await withEvents()
  await fresh.sql(`
    insert into account (email) select 'p' || n || '@example.com' from generate_series(1, 1001) n;
    create table numbered as select id, row_number() over (order by id) as n from account;
    insert into session (account_id, amr, expires_at) select id, '{}', now() + interval '1 day' from account;
    insert into factor (account_id, friendly_name, secret) select id, 'Phone', '' from account;
    insert into customer (id, account_id) select 'cus_' || id, id from account;
    insert into subscription select 'sub_' || id, id, 'p', null, 'active', now(), now(), 0 from customer`)
  const hundred = (await fresh.sql<{ event: string }>(`select 'account:' || id as event from numbered where n <= 100`))
    .map(({ event }) => event)
    .sort()
  for (const [what, change] of Object.entries(ofManyAccounts)) {
    expect(await eventsOf(change(100)), what).toEqual(hundred)
    for (const count of [101, 1_001]) {
      const events = await eventsOf(change(count))
      expect(events, what).toContain('all')
      expect(events.length, what).toBeLessThanOrEqual(102)
    }
  }
})

/** A database, and the events of one change in it. */
async function withEvents() {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  return {
    fresh,
    async eventsOf(change: string): Promise<readonly string[]> {
      await fresh.sql('truncate change_event_0, change_event_1, change_event_2')
      await fresh.sql(change)
      const events = await fresh.sql<{ event: string }>(
        `select distinct kind || coalesce(':' || id, '') as event from change_event`,
      )
      return events.map(({ event }) => event).sort()
    },
  }
}

/** The triggers that send events, with their tables. */
async function triggersOf(fresh: FreshDatabase): Promise<Readonly<Record<string, string>>> {
  const rows = await fresh.sql<{ name: string; table: string }>(`
select t.tgname as name, t.tgrelid::regclass::text as table
from pg_trigger t join pg_proc p on p.oid = t.tgfoid
where not t.tgisinternal and p.proname like 'tell_%'`)
  return Object.fromEntries(rows.map(({ name, table }) => [name, table]))
}

/** Any change to any table that user data is read from; `$1` is one of the two people. */
const anyChange = [
  `update account set role_id = case role_id when 'user' then 'admin' else 'user' end where id = $1`,
  `update account set disabled_at = case when disabled_at is null then now() end where id = $1`,
  `update account set first_session = null where id = $1`,
  `insert into membership (organization_id, account_id) select id, $1 from organization on conflict do nothing`,
  `update membership set role_id = case role_id when 'member' then 'owner' else 'member' end where account_id = $1`,
  `update membership set joined_at = now() where account_id = $1 and organization_id = (select min(id::text)::uuid from organization)`,
  `delete from membership where account_id = $1`,
  `insert into factor (account_id, friendly_name, secret, verified_at) values ($1, gen_random_uuid()::text, '', now())`,
  `update factor set verified_at = case when verified_at is null then now() end where account_id = $1`,
  `delete from factor where account_id = $1`,
  `insert into passkey (account_id, friendly_name, credential_id, public_key, aaguid) select $1, gen_random_uuid()::text, uuid_send(gen_random_uuid()), '', $1`,
  `update passkey set friendly_name = gen_random_uuid()::text where account_id = $1`,
  `delete from passkey where account_id = $1`,
  `insert into customer (id, account_id) values (gen_random_uuid()::text, $1)`,
  `update customer set account_id = $1, organization_id = null`,
  `update customer set account_id = null, organization_id = (select min(id::text)::uuid from organization) where account_id = $1`,
  `insert into subscription select gen_random_uuid()::text, id, 'price', null, 'active', now(), now(), 0 from customer where account_id = $1`,
  `update subscription set status = case status when 'active' then 'unpaid' else 'active' end where $1::uuid is not null`,
  `delete from subscription where customer_id in (select id from customer where account_id = $1)`,
  `insert into role_grant select role_id, 'r' || left(gen_random_uuid()::text, 8), 'a' from account where id = $1`,
  `delete from role_grant where resource ~ '^r.{8}$' and $1::uuid is not null`,
  `update plan set name = left(gen_random_uuid()::text, 8) where $1::uuid is not null`,
  `insert into plan_price select 'price', 'free' where $1::uuid is not null on conflict do nothing`,
  `delete from plan_price where $1::uuid is not null`,
  `insert into plan_grant select 'free', 'p' || left(gen_random_uuid()::text, 8), 'a' where $1::uuid is not null`,
  `update identity set subject = subject where account_id = $1`,
] as const

/** A change in the transaction of one of two writers, which then commits, is rolled back, or goes on. */
const step = fc.record({
  statement: fc.constantFrom(...anyChange),
  person: fc.constantFrom(0 as const, 1 as const),
  writer: fc.constantFrom(0 as const, 1 as const),
  end: fc.constantFrom('commit' as const, 'commit' as const, 'rollback' as const, undefined),
})

test('after any change, in whatever order transactions end, whatever any node has cached is what a new statement reads', async () => {
  const service = await serviceForTest()
  const nodes = [service, await serviceForTest({ on: service.fresh })]
  const people = [await service.person(), await service.person()] as const
  await service.sql(`insert into organization (name) values ('One'), ('Two')`)
  const writers = [await writerOf(service.fresh), await writerOf(service.fresh)] as const
  for (const { parts } of nodes) await expect.poll(() => parts.cache.stats().isConnected).toBe(true)
  const known = () => Promise.all(nodes.map(({ parts }) => parts.invalidation.settled()))
  const answer = async (node: Service, { token }: Person) => {
    const { status, text, body } = await node.get('/api/v1/user/data', { token })
    return status === 200 ? text : Object(body).code
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      for (const { statement, person, writer, end } of steps) {
        for (const node of nodes) for (const one of people) await answer(node, one)
        await writers[writer].change(statement, people[person].id, end)
        await known()
        for (const node of nodes)
          for (const one of people) expect(await answer(node, one), statement).toBe(await readAnew(one))
      }
      for (const { end } of writers) await end('rollback')
    }),
    { numRuns: 10 },
  )
  expect(Math.min(...nodes.map(({ parts }) => parts.cache.stats().hits))).toBeGreaterThan(0)

  async function readAnew({ id, token }: Person): Promise<string> {
    const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const session = { session: sid, ownSessionId: sid }
    const caller: Caller = {
      kind: 'account',
      issuer: 'urn:muster:issuer',
      subject: id,
      ...session,
      emailTrusted: false,
      provisions: false,
    }
    const none = createResponseCache({ bytesMax: 0, now: Date.now, isProven: () => false })
    try {
      return (await createUserData(service.database, none)(caller)).text
    } catch (error) {
      if (error instanceof Problem) return error.code
      throw error
    }
  }
})

/** A connection whose transaction stays open until it is ended. One that would wait for the other writer is rolled back. */
async function writerOf({ database }: FreshDatabase) {
  const client = await database.connect()
  onTestFinished(() => client.end())
  await client.query(`set lock_timeout = '20ms'`)
  const end = (how: 'commit' | 'rollback') => client.query(how)
  return {
    end,
    async change(statement: string, id: string, how: 'commit' | 'rollback' | undefined) {
      if (client.getTransactionStatus() !== 'T') await client.query('begin')
      try {
        await client.query(statement, [id])
        if (how) await end(how)
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error
        await end('rollback')
      }
    },
  }
}
