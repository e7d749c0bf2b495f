-- Up Migration

-- Administrators see over HTTP what billing and the service do. Owners of organisations have `billing: manage`, which is another right.
insert into role_grant (role_id, resource, action)
select 'admin', resource, action
from (values ('subscriptions', 'read'), ('subscriptions', 'manage'), ('system', 'read')) as wanted (resource, action)
where exists (select from role where id = 'admin')
on conflict do nothing;

-- What the last reconciliation found, and how the last one that was not finished failed: there may have been no other.
alter table billing_sync
  alter column finished_at drop not null,
  add column report    jsonb,
  add column failed_at timestamptz,
  add column failure   text;

-- Customers without an owner, and those whose owner only their payer has named.
create index customer_waiting on customer (id) where account_id is null and organization_id is null and erased_at is null;
create index customer_unconfirmed on customer (id) where claim_rank = 0 and num_nonnulls(account_id, organization_id) = 1;

insert into schema_compatibility values (130, 66);
