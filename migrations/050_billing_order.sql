-- Up Migration

-- Every write changes the revision of a row, so that a slow fetch detects that the row has changed meanwhile.
-- A subscription may have several items; price_id is the first whose price is a plan's, or the first.
alter table subscription
  add column revision  int    not null default 0,
  add column price_ids text[] not null default '{}';

-- Claims about the owner of a customer: of an operator (3), in the metadata of the customer (2) or of a subscription or
-- checkout (1), or in a reference that the payer could have written (0). The highest rank wins, then the newest. A claim about an
-- unknown owner waits. One account may have several customers: a payment link makes a new one each time.
alter table customer
  drop constraint customer_account_id_key,
  drop constraint customer_organization_id_key,
  add column claim_kind  text check (claim_kind in ('account', 'organization', 'any')),
  add column claim_value text check (length(claim_value) between 1 and 255),
  add column claim_rank  smallint,
  add column claim_at    timestamptz,
  add column deleted_at  timestamptz,
  add check (num_nulls(claim_kind, claim_value, claim_rank, claim_at) in (0, 4));
create index customer_account on customer (account_id);
create index customer_organization on customer (organization_id);

-- A claim may name a user by the subject of an issuer.
create index identity_subject on identity (subject);

create index subscription_price on subscription (price_id);
create index billing_event_received on billing_event (received_at);

-- When a node last compared all subscriptions with the payment processor.
create table billing_sync (
  processor   text primary key,
  finished_at timestamptz not null
);

insert into role_grant (role_id, resource, action) values ('owner', 'billing', 'manage') on conflict do nothing;
