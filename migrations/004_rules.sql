-- Up Migration

-- The version of all roles, plans, prices and grants, in one row. Each process caches them by version. It is random, so that two databases,
-- or a change that was rolled back, never share one.
create table rules_version (
  is_only boolean primary key default true check (is_only),
  version uuid not null default gen_random_uuid()
);

insert into rules_version default values;

create function change_rules_version() returns trigger
  language plpgsql set search_path from current as $$
begin
  update rules_version set version = gen_random_uuid();
  return null;
end $$;

create trigger plan_changed after insert or delete or update or truncate on plan
  for each statement execute function change_rules_version();
create trigger plan_grant_changed after insert or delete or update or truncate on plan_grant
  for each statement execute function change_rules_version();
create trigger plan_price_changed after insert or delete or update or truncate on plan_price
  for each statement execute function change_rules_version();
create trigger role_changed after insert or delete or update or truncate on role
  for each statement execute function change_rules_version();
create trigger role_grant_changed after insert or delete or update or truncate on role_grant
  for each statement execute function change_rules_version();
