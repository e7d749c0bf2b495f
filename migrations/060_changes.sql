-- Up Migration

-- Sends every node an event for each change that a cached response depends on. 110_change_feed.sql has the events and the way they are
-- sent: what was here needed notifications, which not every database has. Until then a new database has no node to send them to. Kinds:
--   account:<id>        invalidates the responses of this account
--   organization:<id>   invalidates the responses of callers whose current organisation this is
--   all                 invalidates everything (a role, a plan or a price changed, or too many rows at once)
-- Statement-level, with transition tables: an import of a million rows sends one event.

create function tell_changed(kind text, ids uuid[]) returns void
  language plpgsql as $$
begin
end $$;

-- Argument: the column of the changed rows that names the account.
create function tell_accounts_changed() returns trigger
  language plpgsql as $$
declare
  ids uuid[];
begin
  execute format('select array_agg(distinct %1$I) from (select %1$I from changed where %1$I is not null limit 1000) c', tg_argv[0])
    into ids;
  perform tell_changed('account', ids);
  return null;
end $$;

-- Only the end of a session sends an event. A new session changes no cached response, and a response expires with its session.
create function tell_sessions_ended() returns trigger
  language plpgsql as $$
declare
  ids uuid[];
begin
  select array_agg(distinct account_id) into ids
  from (select account_id from changed where ended_at is not null or expires_at <= now() limit 1000) c;
  perform tell_changed('account', ids);
  return null;
end $$;

create function tell_customers_changed() returns trigger
  language plpgsql as $$
declare
  accounts uuid[];
  organizations uuid[];
begin
  select array_agg(account_id) filter (where account_id is not null),
         array_agg(organization_id) filter (where organization_id is not null)
  into accounts, organizations
  from (select account_id, organization_id from changed limit 1000) c;
  perform tell_changed('account', accounts);
  perform tell_changed('organization', organizations);
  return null;
end $$;

create function tell_subscriptions_changed() returns trigger
  language plpgsql as $$
declare
  accounts uuid[];
  organizations uuid[];
begin
  select array_agg(distinct c.account_id) filter (where c.account_id is not null),
         array_agg(distinct c.organization_id) filter (where c.organization_id is not null)
  into accounts, organizations
  from (select distinct customer_id from changed limit 1000) s
  join customer c on c.id = s.customer_id;
  perform tell_changed('account', accounts);
  perform tell_changed('organization', organizations);
  return null;
end $$;

create function tell_all_changed() returns trigger
  language plpgsql as $$
begin
  return null;
end $$;

-- A new account or identity sends no event: no response of it is cached.
create trigger account_updated after update on account
  referencing new table as changed for each statement execute function tell_accounts_changed('id');
create trigger account_deleted after delete on account
  referencing old table as changed for each statement execute function tell_accounts_changed('id');
create trigger identity_updated after update on identity
  referencing old table as changed for each statement execute function tell_accounts_changed('account_id');
create trigger identity_deleted after delete on identity
  referencing old table as changed for each statement execute function tell_accounts_changed('account_id');

create trigger membership_inserted after insert on membership
  referencing new table as changed for each statement execute function tell_accounts_changed('account_id');
create trigger membership_updated after update on membership
  referencing new table as changed for each statement execute function tell_accounts_changed('account_id');
create trigger membership_deleted after delete on membership
  referencing old table as changed for each statement execute function tell_accounts_changed('account_id');

create trigger factor_inserted after insert on factor
  referencing new table as changed for each statement execute function tell_accounts_changed('account_id');
create trigger factor_updated after update on factor
  referencing new table as changed for each statement execute function tell_accounts_changed('account_id');
create trigger factor_deleted after delete on factor
  referencing old table as changed for each statement execute function tell_accounts_changed('account_id');

create trigger session_updated after update on session
  referencing new table as changed for each statement execute function tell_sessions_ended();
create trigger session_deleted after delete on session
  referencing old table as changed for each statement execute function tell_accounts_changed('account_id');

create trigger customer_inserted after insert on customer
  referencing new table as changed for each statement execute function tell_customers_changed();
create trigger customer_updated after update on customer
  referencing new table as changed for each statement execute function tell_customers_changed();
create trigger customer_updated_from after update on customer
  referencing old table as changed for each statement execute function tell_customers_changed();
create trigger customer_deleted after delete on customer
  referencing old table as changed for each statement execute function tell_customers_changed();

create trigger subscription_inserted after insert on subscription
  referencing new table as changed for each statement execute function tell_subscriptions_changed();
create trigger subscription_updated after update on subscription
  referencing new table as changed for each statement execute function tell_subscriptions_changed();
create trigger subscription_updated_from after update on subscription
  referencing old table as changed for each statement execute function tell_subscriptions_changed();
create trigger subscription_deleted after delete on subscription
  referencing old table as changed for each statement execute function tell_subscriptions_changed();

create trigger role_changed after update or delete or truncate on role
  for each statement execute function tell_all_changed();
create trigger role_grant_changed after insert or update or delete or truncate on role_grant
  for each statement execute function tell_all_changed();
create trigger plan_changed after insert or update or delete or truncate on plan
  for each statement execute function tell_all_changed();
create trigger plan_grant_changed after insert or update or delete or truncate on plan_grant
  for each statement execute function tell_all_changed();
create trigger plan_price_changed after insert or update or delete or truncate on plan_price
  for each statement execute function tell_all_changed();
