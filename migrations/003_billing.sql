-- Up Migration

-- Plans, and the payment processors' data about who pays for which.

-- What an account or organization can subscribe to.
create table plan (
  -- Chosen by the operator; never changes.
  id text primary key check (id ~ '^[a-z][a-z0-9_-]{0,62}$'),
  name text not null check (length(name) between 1 and 200),
  -- The plan of accounts that never had a subscription.
  is_default boolean not null default false
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
  -- that the payer could have written (0). The highest rank wins, then the newest. A claim about an unknown owner waits.
  claim_kind text check (claim_kind in ('account', 'organization', 'any')),
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
  -- Without a foreign key, because a price may not be mapped to a plan yet.
  price_id text not null,
  product_name text,
  -- The payment processor's own word, which may be unknown.
  status text not null,
  created_at timestamptz not null,
  -- With seen_rank and revision: the event that this row reflects.
  seen_at timestamptz not null,
  seen_rank smallint not null,
  revision int not null default 0,
  price_ids text[] not null default '{}'
);
create index subscription_of on subscription (customer_id);
create index subscription_price on subscription (price_id);

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

