-- Up Migration

create table plan (
  id         text primary key check (id ~ '^[a-z][a-z0-9_-]{0,62}$'),  -- chosen by the operator, stable
  name       text not null check (length(name) between 1 and 200),
  is_default boolean not null default false                            -- the plan of an account without a subscription
);
create unique index plan_default on plan (is_default) where is_default;
insert into plan (id, name, is_default) values ('free', 'Free', true);

create table plan_grant (
  plan_id  text not null references plan on delete cascade,
  resource text not null check (resource ~ '^[a-z][a-z0-9_]{0,62}$'),
  action   text not null check (action ~ '^[a-z][a-z0-9_]{0,62}$'),
  primary key (plan_id, resource, action)
);

create table plan_price (
  price_id text primary key,                  -- the payment processor's; many prices, one plan
  plan_id  text not null references plan
);

-- A customer without an owner waits for one: events of its subscriptions may arrive first.
create table customer (
  id              text primary key,           -- the payment processor's
  account_id      uuid unique references account on delete set null,
  organization_id uuid unique references organization on delete set null,
  check (num_nonnulls(account_id, organization_id) <= 1)
);

create table subscription (
  id           text primary key,              -- the payment processor's
  customer_id  text not null references customer,
  price_id     text not null,                 -- no foreign key: a price may not be mapped yet
  product_name text,
  status       text not null,                 -- as the payment processor names it, also an unknown one
  created_at   timestamptz not null,
  seen_at      timestamptz not null,          -- with seen_rank: the time of the event that this row shows
  seen_rank    smallint not null
);
create index subscription_of on subscription (customer_id);

create table billing_event (
  id              text primary key,           -- the payment processor's: a second delivery changes nothing
  type            text not null,
  subscription_id text,
  created         timestamptz not null,
  received_at     timestamptz not null default now(),
  applied         boolean not null
);
