-- Up Migration

-- A row changes its revision with every write: a fetch that took a while can tell whether the row is still the one it was made for.
-- A subscription may have several items; price_id is the first whose price is a plan's, or the first.
alter table subscription
  add column revision  int    not null default 0,
  add column price_ids text[] not null default '{}';

-- Whose a customer is, as it was said: by an operator (3), in the metadata of the customer (2) or of a subscription or
-- checkout (1), or in a reference that the payer could have written (0). The highest rank stands, then the newest; a claim that names
-- nobody yet is kept, and its customer waits. One account may have several customers: a payment link makes a new one each time.
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

-- A claim may name a person as the issuer does.
create index identity_subject on identity (subject);

create index subscription_price on subscription (price_id);
create index billing_event_received on billing_event (received_at);

-- When all subscriptions were last compared with the payment processor's, over all nodes.
create table billing_sync (
  processor   text primary key,
  finished_at timestamptz not null
);

insert into role_grant (role_id, resource, action) values ('owner', 'billing', 'manage') on conflict do nothing;
