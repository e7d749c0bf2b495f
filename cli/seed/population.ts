import type { Client } from 'pg'
import { withoutIndexes } from '../../src/platform/database/bulk-load.ts'
import { companyForms, companyWords, familySpellings, familyWords, givenWords, mailDomains } from './names.ts'

export interface PopulationSize {
  readonly users: number
  readonly orgs: number
}

/** The approximate number of rows, for the progress bar. */
export function populationRows({ users, orgs }: PopulationSize): number {
  return users * 2 + orgs + Math.ceil(users * membershipsEach) + Math.ceil((users * 0.1 + orgs * 0.4) * 2)
}

const membershipsEach = 0.95
const batchRows = 50_000
const tables = ['organization', 'account', 'identity', 'membership', 'customer', 'subscription'] as const

/**
 * Inserts a realistic population of any size: organization sizes follow a power law, subscriptions have all statuses, 1 % of the accounts
 * have no email, 10 % no name, and 2 % are disabled. Runs in one transaction without indexes, so no other client can use the database meanwhile.
 * Calls `onRows` with the number of rows of each insert. Returns false if the database already has a population.
 */
export async function growPopulation(
  client: Client,
  { users, orgs }: PopulationSize,
  { seed, issuer, onRows }: { seed: number; issuer: string; onRows: (rows: number) => void },
): Promise<boolean> {
  const { rows } = await client.query(`select from customer where id = 'cus_seed_1'`)
  if (rows.length > 0) return false
  await client.query('begin')
  try {
    // setseed takes 0 to 1. The same seed draws the same numbers.
    await client.query('select setseed($1)', [(seed % 1_000) / 1_000])
    await client.query(`set local work_mem = '64MB'; set local maintenance_work_mem = '256MB'`)
    await client.query(uuidAt)
    await withoutIndexes(client, tables, async () => {
      const add = async (text: string, count: number, values: readonly unknown[] = []) => {
        for (let from = 1; from <= count; from += batchRows) {
          const { rowCount } = await client.query(text, [from, Math.min(count, from + batchRows - 1), ...values])
          onRows(rowCount ?? 0)
        }
      }
      await client.query(plans)
      await add(organizations, orgs, [orgs, companyWords, companyForms])
      await add(accounts, users, [users, givenWords, familyWords, mailDomains, JSON.stringify(familySpellings)])
      await client.query(numbered)
      await add(identities, users, [issuer])
      await add(memberships, Math.ceil(users * membershipsEach), [users, orgs])
      await add(customers, Math.ceil(users * 0.1 + orgs * 0.4), [Math.ceil(users * 0.1)])
      await add(subscriptions, Math.ceil(users * 0.1 + orgs * 0.4), [statuses])
    })
    await client.query('drop table seed_account, seed_organization; drop function seed_uuid_at')
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
  // The planner needs statistics before the first query.
  await client.query(`vacuum analyze ${tables.join(', ')}`)
  return true
}

/** The payment processor's statuses, about as often as they occur. */
const statuses = [
  ...Array<string>(60).fill('active'),
  ...Array<string>(10).fill('trialing'),
  ...Array<string>(8).fill('past_due'),
  ...Array<string>(14).fill('canceled'),
  ...Array<string>(3).fill('unpaid'),
  ...['paused', 'paused', 'incomplete', 'incomplete', 'incomplete_expired'],
]

/** UUIDv7 (RFC 9562 §5.7) of a time, so that IDs sort by creation. The function is dropped before the commit. */
const uuidAt = `
create function seed_uuid_at(at timestamptz) returns uuid language sql volatile
  return encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid`

/** The n-th of `total` times within about three years. They get closer together, as in a growing product. */
const momentOf = (n: string, total: string) =>
  `timestamptz '2023-06-01' + interval '1100 days' * power(${n}::float8 / ${total}::float8, 0.6)`

const oneOf = (list: string) => `(${list}::text[])[1 + floor(random() * cardinality(${list}::text[]))::int]`

const plans = `
insert into plan (id, name) values ('pro', 'Pro'), ('team', 'Team') on conflict do nothing;
insert into plan_price (price_id, plan_id)
values ('price_demo_pro_monthly', 'pro'), ('price_demo_team_monthly', 'team') on conflict do nothing`

const organizations = `
insert into organization (id, name, created_at)
select seed_uuid_at(at), name, at
from (select ${momentOf('n', '$3')} as at, ${oneOf('$4')} || ' ' || n || ' ' || ${oneOf('$5')} as name
      from generate_series($1::int, $2::int) n) made`

const accounts = `
insert into account (id, email, display_name, role_id, created_at, disabled_at)
select seed_uuid_at(at), case when random() > 0.01 then given || '.' || family || n || '@' || domain end,
       case when random() > 0.1 then initcap(given || ' ' || coalesce($7::json ->> family, family)) end,
       case when n % 10000 = 2 then 'admin' else 'user' end, at, case when random() < 0.02 then at + interval '30 days' end
from (select n, ${momentOf('n', '$3')} as at, ${oneOf('$4')} as given, ${oneOf('$5')} as family, ${oneOf('$6')} as domain
      from generate_series($1::int, $2::int) n) made`

const numbered = `
create unlogged table seed_account as
  select row_number() over (order by created_at, id)::int as n, id, created_at
  from account where xmin = pg_current_xact_id()::xid;
create unlogged table seed_organization as
  select row_number() over (order by created_at, id)::int as n, id
  from organization where xmin = pg_current_xact_id()::xid;
create index on seed_account (n);
create index on seed_organization (n);
analyze seed_account;
analyze seed_organization`

const identities = `
insert into identity (issuer, subject, account_id)
select $3, id::text, id from seed_account where n between $1 and $2 on conflict do nothing`

/** The cube of a uniform random number: a few organizations have tens of thousands of members, most only a handful. */
const memberships = `
insert into membership (organization_id, account_id, role_id, joined_at)
select o.id, a.id, case when random() < 0.1 then 'owner' else 'member' end, a.created_at
from (select least($3, 1 + floor(power(random(), 1.1) * $3))::int as account_n,
             least($4, 1 + floor(power(random(), 3) * $4))::int as org_n
      from generate_series($1::int, $2::int)) drawn
join seed_account a on a.n = drawn.account_n
join seed_organization o on o.n = drawn.org_n
on conflict do nothing`

/** Every tenth user pays, then the organizations, oldest first. */
const customers = `
insert into customer (id, account_id, organization_id)
select 'cus_seed_' || number, a.id, o.id
from generate_series($1::int, $2::int) number
left join seed_account a on number <= $3 and a.n = number * 10
left join seed_organization o on o.n = number - $3`

const subscriptions = `
insert into subscription (id, customer_id, price_ids, product_name, status, created_at, seen_at, seen_rank)
select 'sub_seed_' || n, 'cus_seed_' || n, array['price_demo_' || plan || '_monthly'], initcap(plan), status, at, at, 0
from (select n, ${oneOf('$3')} as status, case when random() < 0.5 then 'pro' else 'team' end as plan,
             timestamptz '2024-01-01' + random() * interval '900 days' as at
      from generate_series($1::int, $2::int) n) made`
