-- Up Migration

-- An account that is to be erased. Until erases_at it can be kept; meanwhile it is disabled, so that every node refuses it, also one of
-- the release before. docs/decisions/erasure.md has the rules.
alter table account
  add column erase_requested_at timestamptz,
  add column erases_at timestamptz,
  add constraint account_erasing_check check (
    (erases_at is null) = (erase_requested_at is null) and (erases_at is null or disabled_at is not null));
create index account_erasing on account (erases_at) where erases_at is not null;

-- Who enables an account keeps it, also a node of the release before.
create function keep_enabled_account() returns trigger
  language plpgsql as $$
begin
  new.erase_requested_at := null;
  new.erases_at := null;
  return new;
end $$;
create trigger account_kept before update of disabled_at on account
  for each row when (new.disabled_at is null and old.erases_at is not null) execute function keep_enabled_account();

-- What was erased: after a restore, the same accounts are erased again. The id is random, and leads nowhere any more.
create table erasure (
  account_id uuid primary key,
  erased_at  timestamptz not null default now()
);

-- The payer of an erased account: it waits for no owner, and no claim gives it one but an operator's.
alter table customer add column erased_at timestamptz;
create index customer_claim on customer (claim_value) where claim_value is not null;

-- Events about an account, which lose its addresses.
create index audit_event_of_account on audit_event (target_id) where target_kind = 'account';

-- Of a removed identity only a SHA-256 is kept: enough to refuse a token from before the removal. The columns issuer and subject stay
-- empty; a later migration drops them. A node of the release before does not find the new rows while an update rolls.
create function identity_hash(issuer text, subject text) returns bytea
  language sql stable parallel safe
  return sha256(convert_to(jsonb_build_array(issuer, subject)::text, 'UTF8'));

alter table removed_identity add column hash bytea;
update removed_identity set hash = identity_hash(issuer, subject);
alter table removed_identity drop constraint removed_identity_pkey;
alter table removed_identity
  alter column issuer drop not null,
  alter column subject drop not null,
  add constraint removed_identity_pkey primary key (hash);
update removed_identity set issuer = null, subject = null;

create or replace function note_removed_identity() returns trigger
  language plpgsql as $$
begin
  insert into removed_identity (hash, removed_at)
  select identity_hash(issuer, subject), clock_timestamp() from gone
  on conflict (hash) do update set removed_at = excluded.removed_at;
  delete from removed_identity where removed_at < now() - interval '31 days';
  return null;
end $$;

-- What a node does for all of them every few minutes, and when it last did.
create table upkeep (
  task        text primary key,
  finished_at timestamptz not null
);

insert into role_grant (role_id, resource, action)
select id, 'users', 'erase' from role where id = 'admin'
on conflict do nothing;

insert into schema_compatibility values (91, 66);
