-- Up Migration

-- As which user an administrator reads at the moment, for minutes. docs/decisions/act-as.md has the reasons.
create table act_as (
  actor_id   uuid primary key references account on delete cascade, -- one user at a time
  account_id uuid not null references account on delete cascade,    -- whose data are read
  session    text,                                                  -- of the actor; null where their issuer names none
  expires_at timestamptz not null
);
create index act_as_of on act_as (account_id);

-- It ends for good when either account is disabled or gets another role: what was allowed before is not allowed again when the account is
-- enabled a moment later.
create function act_as_end() returns trigger
  language plpgsql as $$
begin
  with ended as (
    delete from act_as where actor_id = new.id or account_id = new.id returning actor_id, account_id, expires_at
  )
  insert into audit_event (action, actor_kind, actor_id, target_kind, target_id)
  select 'act_as.ended', 'account', actor_id, 'account', account_id::text from ended where expires_at > now();
  return null;
end $$;
create trigger account_act_as_ended after update of disabled_at, role_id on account
  for each row when (old.disabled_at is distinct from new.disabled_at or old.role_id <> new.role_id)
  execute function act_as_end();

insert into role_grant (role_id, resource, action)
select 'admin', 'users', 'act_as' where exists (select from role where id = 'admin')
on conflict do nothing;

insert into schema_compatibility values (150, 66);
