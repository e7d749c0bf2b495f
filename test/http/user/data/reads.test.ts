import fc from 'fast-check'
import { DatabaseError } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { FreshDatabase } from '../../../support/database.ts'
import { type Person, type Service, serviceForTest } from '../../../support/service.ts'
import { userDataOracle } from '../../../support/user-data-oracle.ts'

/** Any change to any table that user data is read from. `$1` is one of two users. */
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
  `insert into subscription select gen_random_uuid()::text, id, '{price}', null, 'active', now(), now(), 0 from customer where account_id = $1`,
  `update subscription set status = case status when 'active' then 'unpaid' else 'active' end where $1::uuid is not null`,
  `delete from subscription where customer_id in (select id from customer where account_id = $1)`,
  `insert into role_grant select role_id, 'r' || left(gen_random_uuid()::text, 8), 'a' from account where id = $1`,
  `delete from role_grant where resource ~ '^r.{8}$' and $1::uuid is not null`,
  `insert into plan select 'plus', 'Plus' where $1::uuid is not null on conflict do nothing`,
  `insert into plan_price select 'price_plus', 'plus' where $1::uuid is not null on conflict do nothing`,
  `update plan set rank = 3 - rank where id = 'plus' and $1::uuid is not null`,
  `update subscription set price_ids = price_ids || array['price_plus', 'price_unmapped'], quantities = '{3,null,7}' where $1::uuid is not null`,
  `update subscription set price_ids = '{}', product_name = left(id, 3) where $1::uuid is not null`,
  `update subscription set current_period_end = '2027-01-15T08:00:00.5Z', trial_end = now(), cancel_at_period_end = not coalesce(cancel_at_period_end, true) where $1::uuid is not null`,
  `update plan set name = left(gen_random_uuid()::text, 8) where $1::uuid is not null`,
  `insert into plan_price select 'price', 'free' where $1::uuid is not null on conflict do nothing`,
  `delete from plan_price where $1::uuid is not null`,
  `insert into plan_grant select 'free', 'p' || left(gen_random_uuid()::text, 8), 'a' where $1::uuid is not null`,
  `update identity set subject = subject where account_id = $1`,
  `update role set requires_mfa = not requires_mfa where id in (select role_id from account where id = $1)`,
  `update role set requires_mfa = not requires_mfa where id = 'member' and $1::uuid is not null`,
  `update organization set requires_mfa = not requires_mfa where id in (select organization_id from membership where account_id = $1)`,
  `insert into role_grant select 'member', 'm' || left(gen_random_uuid()::text, 8), 'a' where $1::uuid is not null`,
  `insert into plan_grant select 'free', 'organization', 'create' where $1::uuid is not null on conflict do nothing`,
  `delete from plan_grant where $1::uuid is not null`,
  `update session set amr = case aal when 1 then '{mfa}'::text[] else '{pwd}' end where account_id = $1`,
  `update session set organization_id = (select max(id::text)::uuid from organization) where account_id = $1`,
  `update session set organization_id = null where account_id = $1`,
] as const

/** A change in the transaction of one of two writers, which then commits, rolls back or continues. */
const step = fc.record({
  statement: fc.constantFrom(...anyChange),
  person: fc.constantFrom(0 as const, 1 as const),
  writer: fc.constantFrom(0 as const, 1 as const),
  end: fc.constantFrom('commit' as const, 'commit' as const, 'rollback' as const, undefined),
})

/** More runs for a longer search. */
const numRuns = Number(process.env.MUSTER_TEST_RUNS ?? 8)

test('after any change, and in any order of commits, every node returns the data in the database', async () => {
  const env = { MUSTER_READS_PER_MINUTE: '100000000' }
  const service = await serviceForTest({ env })
  const nodes = [service, await serviceForTest({ on: service.fresh, env })]
  const people = [await service.person(), await service.person()] as const
  await service.sql(`insert into organization (name) values ('One'), ('Two')`)
  const writers = [await writerOf(service.fresh), await writerOf(service.fresh)] as const
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      for (const { statement, person, writer, end } of steps) {
        await writers[writer].change(statement, people[person].id, end)
        for (const one of people) {
          const expected = await readByOracle(service, one)
          for (const node of nodes) expect(await answer(node, one), statement).toEqual(expected)
        }
      }
      for (const { end } of writers) await end('rollback')
    }),
    { numRuns },
  )
}, 600_000)

/** Undefined if the user is rejected. */
async function answer(node: Service, { token }: Person): Promise<unknown> {
  const { status, body } = await node.get('/api/v1/user/data?details=true', { token })
  if (status !== 200) return undefined
  const { isFirstLogin, ...data } = Object(body)
  expect(isFirstLogin).toBe(true)
  return data
}

async function readByOracle(service: Service, { id, token }: Person): Promise<unknown> {
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const [row] = await service.sql<{ data: unknown }>(userDataOracle, ['urn:muster:issuer', id, sid, null])
  return row?.data
}

/** A connection with an open transaction. A statement that would wait for the other writer is rolled back. */
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
