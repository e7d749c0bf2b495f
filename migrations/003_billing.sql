-- Up Migration

-- Plans, and the payment processors' data about who pays for which.

-- What an account or organization can subscribe to.
create table plan (
  -- Chosen by the operator; never changes.
  id text primary key check (id ~ '^[a-z][a-z0-9_-]{0,62}$'),
  name text not null check (length(name) between 1 and 200),
  -- The plan of accounts without a subscription. Every account has its permissions.
  is_default boolean not null default false,
  -- Of several subscriptions in force, the one whose plan has the highest rank is shown.
  rank int not null default 0
);
create unique index plan_default on plan (is_default) where is_default;

insert into plan (id, name, is_default) values ('free', 'Free', true);

-- A permission that a plan grants.
create table plan_grant (
  plan_id text not null references plan on delete cascade,
  resource text not null check (resource ~ '^[a-z][a-z0-9_]{0,62}$'),
  action text not null check (action ~ '^[a-z][a-z0-9_]{0,62}$'),
  constraint plan_grant_is_not_for_the_service check (permission_scope(resource, action) <> 'service'),
  primary key (plan_id, resource, action)
);

-- A price of a payment processor, and the plan that it is for. Many prices, one plan.
create table plan_price (
  -- The payment processor's id.
  price_id text primary key,
  plan_id text not null references plan
);

-- A customer of a payment processor, with its owner. Events of its subscriptions may arrive before the owner is known.
create table customer (
  -- The payment processor's id.
  id text primary key,
  account_id uuid references account on delete set null,
  organization_id uuid references organization on delete set null,
  -- Claims about the owner: of an operator (3), in the metadata of the customer (2) or of a subscription or checkout (1), or in a reference
  -- that the payer could have written (0). The highest rank wins, then the newest. A claim about an unknown owner waits. An unreadable claim
  -- (-1) says what was written instead of an owner, and never has one.
  claim_kind text check (claim_kind in ('account', 'organization', 'any', 'unreadable')),
  claim_value text check (length(claim_value) between 1 and 255),
  claim_rank smallint,
  claim_at timestamptz,
  deleted_at timestamptz,
  -- The newest event of the customer and its subscriptions.
  processor text not null default 'stripe' check (processor ~ '^[a-z][a-z0-9_-]{0,62}$'),
  -- The payer was deleted. The customer waits for no owner, and only an operator can link one.
  erased_at timestamptz,
  constraint customer_check check (num_nonnulls(account_id, organization_id) <= 1),
  constraint customer_check1 check (num_nulls(claim_kind, claim_value, claim_rank, claim_at) in (0, 4))
);
create index customer_account on customer (account_id);
create index customer_claim on customer (claim_value) where claim_value is not null;
create index customer_organization on customer (organization_id);
create index customer_unconfirmed on customer (id) where claim_rank = 0 and num_nonnulls(account_id, organization_id) = 1;
create index customer_waiting on customer (id) where account_id is null and organization_id is null and erased_at is null;

-- A subscription at a payment processor.
create table subscription (
  -- The payment processor's id.
  id text primary key,
  customer_id text not null references customer,
  -- The prices of its items, in order. Without a foreign key, because a price may not be mapped to a plan yet.
  price_ids text[] not null,
  -- The name of the product of the first price.
  product_name text,
  -- The payment processor's own word, which may be unknown.
  status text not null,
  created_at timestamptz not null,
  -- With seen_rank and revision: the event that this row reflects.
  seen_at timestamptz not null,
  seen_rank smallint not null,
  revision int not null default 0,
  -- The quantity of each item, in the order of the prices. Null: not reported.
  quantities int[] not null default '{}',
  -- When the paid period ends, whether the subscription ends then, and when its trial ends. Null: not reported.
  current_period_end timestamptz,
  cancel_at_period_end boolean,
  trial_end timestamptz
);
create index subscription_of on subscription (customer_id);
create index subscription_prices on subscription using gin (price_ids);

-- A subscription with the plan that it is shown with: of the plans of its prices the one with the highest rank, then the one of the first
-- item. It grants the plans of all its prices while it is in force.
create view subscription_with_plan as
select s.id, s.customer_id, s.price_ids, s.product_name, s.status, s.created_at, s.seen_at,
       s.current_period_end, s.cancel_at_period_end, s.trial_end,
       s.status in ('active', 'trialing', 'past_due') as is_in_force,
       best.plan_id, best.plan_name, best.plan_rank, s.quantities[coalesce(best.n, 1)] as quantity
from subscription s
left join lateral (
  select p.id as plan_id, p.name as plan_name, p.rank as plan_rank, item.n::int as n
  from unnest(s.price_ids) with ordinality item (price_id, n)
  join plan_price pp on pp.price_id = item.price_id
  join plan p on p.id = pp.plan_id
  order by p.rank desc, item.n
  limit 1
) best on true;

-- A received event of a payment processor.
create table billing_event (
  -- The payment processor's id. A second delivery changes nothing.
  id text primary key,
  type text not null,
  subscription_id text,
  created timestamptz not null,
  received_at timestamptz not null default now(),
  applied boolean not null
);
create index billing_event_received on billing_event (received_at);

-- When a node last compared all subscriptions with one payment processor.
create table billing_sync (
  processor text primary key,
  finished_at timestamptz,
  report jsonb,
  failed_at timestamptz,
  failure text
);

