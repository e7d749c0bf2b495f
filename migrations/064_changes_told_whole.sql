-- Up Migration

-- Replaces functions of 060_changes.sql. They sent events for the accounts of the first thousand changed rows only: of a change
-- of more rows, with few accounts among the first thousand, the other accounts got no event. These collect the distinct
-- accounts, and send `all` from 101 of them on.

create or replace function tell_accounts_changed() returns trigger
  language plpgsql as $$
declare
  ids uuid[];
begin
  execute format('select array_agg(id) from (select distinct %1$I as id from changed where %1$I is not null limit 101) c', tg_argv[0])
    into ids;
  perform tell_changed('account', ids);
  return null;
end $$;

create or replace function tell_sessions_ended() returns trigger
  language plpgsql as $$
declare
  ids uuid[];
begin
  select array_agg(account_id) into ids
  from (select distinct account_id from changed where ended_at is not null or expires_at <= now() limit 101) c;
  perform tell_changed('account', ids);
  return null;
end $$;

create or replace function tell_customers_changed() returns trigger
  language plpgsql as $$
declare
  accounts uuid[];
  organizations uuid[];
begin
  select array_agg(account_id) into accounts
  from (select account_id from changed where account_id is not null limit 101) c;
  select array_agg(organization_id) into organizations
  from (select organization_id from changed where organization_id is not null limit 101) c;
  perform tell_changed('account', accounts);
  perform tell_changed('organization', organizations);
  return null;
end $$;

create or replace function tell_subscriptions_changed() returns trigger
  language plpgsql as $$
declare
  accounts uuid[];
  organizations uuid[];
begin
  select array_agg(account_id) into accounts
  from (select distinct c.account_id from changed s join customer c on c.id = s.customer_id
        where c.account_id is not null limit 101) c;
  select array_agg(organization_id) into organizations
  from (select distinct c.organization_id from changed s join customer c on c.id = s.customer_id
        where c.organization_id is not null limit 101) c;
  perform tell_changed('account', accounts);
  perform tell_changed('organization', organizations);
  return null;
end $$;

-- An accepted code changes a factor's last_step, and a new encryption key its secret. No response shows either, so an event for
-- every node at every sign-in would be wasted.
create function tell_factors_changed() returns trigger
  language plpgsql as $$
declare
  ids uuid[];
begin
  select array_agg(account_id) into ids
  from (select distinct f.account_id
        from before b join after f on f.id = b.id
        where (b.account_id, b.friendly_name, b.verified_at) is distinct from (f.account_id, f.friendly_name, f.verified_at)
        limit 101) c;
  perform tell_changed('account', ids);
  return null;
end $$;

drop trigger factor_updated on factor;
create trigger factor_updated after update on factor
  referencing old table as before new table as after for each statement execute function tell_factors_changed();
