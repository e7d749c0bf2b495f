-- Up Migration

-- Webhooks: products get every change of users, organizations and subscriptions.

-- A URL that gets webhooks. docs/webhooks.md describes them, docs/decisions/webhooks.md has the reasons.
create table webhook_endpoint (
  id uuid primary key,
  url text not null check (length(url) between 1 and 2048),
  description text check (length(description) between 1 and 200),
  events text[] not null check (cardinality(events) > 0),
  -- signs; encrypted
  secret bytea not null,
  -- signs too, until previous_until; encrypted
  previous_secret bytea,
  previous_until timestamptz,
  -- null: an operator on the server
  created_by uuid references account on delete set null,
  created_at timestamptz not null default now(),
  -- the first failed attempt since the last success
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_why text check (disabled_why in ('administrator', 'gone', 'failing')),
  constraint webhook_endpoint_disabled_check check ((disabled_at is null) = (disabled_why is null)),
  constraint webhook_endpoint_previous_check check ((previous_secret is null) = (previous_until is null))
);
create index webhook_endpoint_by on webhook_endpoint (created_by) where created_by is not null;

-- An event with the data of its time. The id is the webhook-id of every attempt at every endpoint.
create table webhook_event (
  id uuid primary key default uuid_v7(),
  type text not null,
  -- the id of what changed
  subject text not null,
  -- When the change was written. The start of the transaction would not order two changes of one transaction.
  at timestamptz not null default clock_timestamp(),
  data json not null
);
create index webhook_event_at on webhook_event (at);
create index webhook_event_of on webhook_event (subject);

-- One event for one endpoint. A node that takes a delivery postpones next_at, so that no other node takes it meanwhile.
create table webhook_delivery (
  id uuid primary key default uuid_v7(),
  endpoint_id uuid not null references webhook_endpoint on delete cascade,
  event_id uuid not null references webhook_event on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  created_at timestamptz not null default now(),
  -- Attempts since it was written or last replayed.
  tries smallint not null default 0,
  next_at timestamptz not null default now(),
  tried_at timestamptz,
  -- The status of the last response.
  status smallint,
  -- The code of the last error. Nothing from the response.
  fault text,
  constraint webhook_delivery_event unique (event_id, endpoint_id)
);
create index webhook_delivery_next on webhook_delivery (endpoint_id, next_at) where state = 'pending';
create index webhook_delivery_page on webhook_delivery (endpoint_id, created_at, id);
create index webhook_delivery_state on webhook_delivery (endpoint_id, state, created_at, id);

-- Attempts so far, over all nodes, for the metrics.
create table webhook_total (
  outcome text primary key,
  tries bigint not null
);

create function webhook_any_wanted() returns boolean
  language sql stable
  return exists (select from webhook_endpoint e where e.disabled_at is null);

-- If the customer's owner changes, so does the owner of its subscriptions.
create function webhook_customers_updated() returns trigger
  language plpgsql set search_path from current as $$
begin
  if webhook_wanted('subscription.changed') then
    insert into webhook_event (type, subject, data)
    select 'subscription.changed', s.id,
           webhook_subscription(s.id, n.account_id, n.organization_id, coalesce(s.plan_id, s.price_ids[1]), s.status, s.created_at)
    from before o join after n on n.id = o.id join subscription_with_plan s on s.customer_id = n.id
    where (o.account_id, o.organization_id) is distinct from (n.account_id, n.organization_id);
  end if;
  return null;
end $$;

-- Sends each event to every endpoint that subscribes to it. The lock skips an endpoint that is being removed: otherwise the foreign key,
-- and with it the change, would fail.
create function webhook_deliveries_put() returns trigger
  language plpgsql set search_path from current as $$
begin
  insert into webhook_delivery (endpoint_id, event_id)
  select e.id, a.id from added a join webhook_endpoint e on e.disabled_at is null and a.type = any (e.events)
  for key share of e;
  return null;
end $$;

create function webhook_invitations_added() returns trigger
  language plpgsql set search_path from current as $$
begin
  if webhook_wanted('organization.invitation_added') then
    insert into webhook_event (type, subject, data)
    select 'organization.invitation_added', n.organization_id::text,
           webhook_invitation(n.id, n.organization_id, n.role_id, n.expires_at, n.declined_at)
    from after n;
  end if;
  return null;
end $$;

create function webhook_invitations_changed() returns trigger
  language plpgsql set search_path from current as $$
begin
  if webhook_wanted('organization.invitation_changed') then
    insert into webhook_event (type, subject, data)
    select 'organization.invitation_changed', n.organization_id::text,
           webhook_invitation(n.id, n.organization_id, n.role_id, n.expires_at, n.declined_at)
    from before o join after n on n.id = o.id
    where (o.expires_at, o.declined_at) is distinct from (n.expires_at, n.declined_at);
  end if;
  return null;
end $$;

-- Deleting an organization deletes its invitations, which organization.deleted implies.
create function webhook_invitations_removed() returns trigger
  language plpgsql set search_path from current as $$
begin
  if webhook_wanted('organization.invitation_removed') then
    insert into webhook_event (type, subject, data)
    select 'organization.invitation_removed', o.organization_id::text,
           json_build_object('id', o.id, 'orgId', o.organization_id)
    from before o
    where exists (select from organization g where g.id = o.organization_id);
  end if;
  return null;
end $$;

create function webhook_member(organization_id uuid, account_id uuid, role_id text) returns json
  language sql stable
  return json_build_object('orgId', organization_id, 'userId', account_id, 'role', role_id);

create function webhook_members_added() returns trigger
  language plpgsql set search_path from current as $$
begin
  if webhook_wanted('organization.member_added') then
    insert into webhook_event (type, subject, data)
    select 'organization.member_added', n.organization_id::text, webhook_member(n.organization_id, n.account_id, n.role_id)
    from after n;
  end if;
  return null;
end $$;

create function webhook_members_changed() returns trigger
  language plpgsql set search_path from current as $$
begin
  if webhook_wanted('organization.member_changed') then
    insert into webhook_event (type, subject, data)
    select 'organization.member_changed', n.organization_id::text, webhook_member(n.organization_id, n.account_id, n.role_id)
    from before o join after n using (organization_id, account_id)
    where o.role_id <> n.role_id;
  end if;
  return null;
end $$;

-- Deleting an organization deletes its members, which organization.deleted implies.
create function webhook_members_removed() returns trigger
  language plpgsql set search_path from current as $$
begin
  if webhook_wanted('organization.member_removed') then
    insert into webhook_event (type, subject, data)
    select 'organization.member_removed', o.organization_id::text,
           json_build_object('orgId', o.organization_id, 'userId', o.account_id)
    from before o
    where exists (select from organization g where g.id = o.organization_id);
  end if;
  return null;
end $$;

create function webhook_time(at timestamptz) returns text
  language sql stable
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

create function webhook_invitation(id uuid, organization_id uuid, role_id text, expires_at timestamptz, declined_at timestamptz) returns json
  language sql stable
  return json_build_object('id', id, 'orgId', organization_id, 'role', role_id,
                           'status', case when declined_at is null then 'open' else 'declined' end,
                           'expiresAt', webhook_time(expires_at));

create function webhook_organization(id uuid, name text, requires_mfa boolean, created_at timestamptz) returns json
  language sql stable
  return json_build_object('id', id, 'name', name, 'requiresMfa', requires_mfa, 'createdAt', webhook_time(created_at));

create function webhook_organizations_created() returns trigger
  language plpgsql set search_path from current as $$
begin
  if webhook_wanted('organization.created') then
    insert into webhook_event (type, subject, data)
    select 'organization.created', n.id::text, webhook_organization(n.id, n.name, n.requires_mfa, n.created_at) from after n;
  end if;
  return null;
end $$;

create function webhook_organizations_deleted() returns trigger
  language plpgsql set search_path from current as $$
begin
  delete from webhook_event where subject in (select o.id::text from before o);
  if webhook_wanted('organization.deleted') then
    insert into webhook_event (type, subject, data)
    select 'organization.deleted', o.id::text, json_build_object('id', o.id) from before o;
  end if;
  return null;
end $$;

create function webhook_organizations_updated() returns trigger
  language plpgsql set search_path from current as $$
begin
  if webhook_wanted('organization.updated') then
    insert into webhook_event (type, subject, data)
    select 'organization.updated', n.id::text, webhook_organization(n.id, n.name, n.requires_mfa, n.created_at)
    from before o join after n on n.id = o.id
    where (o.name, o.requires_mfa) is distinct from (n.name, n.requires_mfa);
  end if;
  return null;
end $$;

-- A subscription with its owner and the plan in user data.
create function webhook_subscription(id text, account_id uuid, organization_id uuid, plan_id text, status text, created_at timestamptz)
  returns json
  language sql stable
  return json_strip_nulls(json_build_object(
    'id', id, 'userId', account_id, 'orgId', organization_id, 'status', status,
    'planId', plan_id, 'createdAt', webhook_time(created_at)));

create function webhook_subscriptions_created() returns trigger
  language plpgsql set search_path from current as $$
begin
  if webhook_wanted('subscription.changed') then
    insert into webhook_event (type, subject, data)
    select 'subscription.changed', n.id,
           webhook_subscription(n.id, c.account_id, c.organization_id, coalesce(s.plan_id, n.price_ids[1]), n.status, n.created_at)
    from after n join customer c on c.id = n.customer_id join subscription_with_plan s on s.id = n.id;
  end if;
  return null;
end $$;

create function webhook_subscriptions_updated() returns trigger
  language plpgsql set search_path from current as $$
begin
  if webhook_wanted('subscription.changed') then
    insert into webhook_event (type, subject, data)
    select 'subscription.changed', n.id,
           webhook_subscription(n.id, c.account_id, c.organization_id, coalesce(s.plan_id, n.price_ids[1]), n.status, n.created_at)
    from before o join after n on n.id = o.id join customer c on c.id = n.customer_id join subscription_with_plan s on s.id = n.id
    where (o.customer_id, o.price_ids, o.status) is distinct from (n.customer_id, n.price_ids, n.status);
  end if;
  return null;
end $$;

create function webhook_user(id uuid, email text, display_name text, email_proved_at timestamptz, role_id text,
                             disabled_at timestamptz, erases_at timestamptz, created_at timestamptz) returns json
  language sql stable
  return json_strip_nulls(json_build_object(
    'id', id, 'email', email, 'displayName', display_name, 'emailProved', email_proved_at is not null, 'role', role_id,
    'status', case when erases_at is not null then 'erasing' when disabled_at is not null then 'disabled' else 'active' end,
    'createdAt', webhook_time(created_at),
    'identities', (select coalesce(json_agg(json_build_object('issuer', i.issuer, 'subject', i.subject)
                                            order by i.issuer, i.subject), '[]')
                   from identity i where i.account_id = webhook_user.id)));

-- A new account gets its identities in the statement that creates it, and user.created shows them. So an account is linked only if it has
-- other identities too.
create function webhook_identities_added() returns trigger
  language plpgsql set search_path from current as $$
begin
  if webhook_wanted('user.updated') then
    insert into webhook_event (type, subject, data)
    select 'user.updated', a.id::text,
           webhook_user(a.id, a.email, a.display_name, a.email_proved_at, a.role_id, a.disabled_at, a.erases_at, a.created_at)
    from (select account_id, count(*) as added from after group by account_id) n join account a on a.id = n.account_id
    where n.added < (select count(*) from identity i where i.account_id = a.id);
  end if;
  return null;
end $$;

-- Deleting a user deletes the identities, which user.deleted implies.
create function webhook_identities_removed() returns trigger
  language plpgsql set search_path from current as $$
begin
  if webhook_wanted('user.updated') then
    insert into webhook_event (type, subject, data)
    select 'user.updated', a.id::text,
           webhook_user(a.id, a.email, a.display_name, a.email_proved_at, a.role_id, a.disabled_at, a.erases_at, a.created_at)
    from account a where a.id in (select o.account_id from before o);
  end if;
  return null;
end $$;

create function webhook_users_created() returns trigger
  language plpgsql set search_path from current as $$
begin
  if webhook_wanted('user.created') then
    insert into webhook_event (type, subject, data)
    select 'user.created', n.id::text,
           webhook_user(n.id, n.email, n.display_name, n.email_proved_at, n.role_id, n.disabled_at, n.erases_at, n.created_at)
    from after n;
  end if;
  return null;
end $$;

-- Only the id of something deleted is kept: earlier events would keep the email of a deleted account.
create function webhook_users_deleted() returns trigger
  language plpgsql set search_path from current as $$
begin
  delete from webhook_event where subject in (select o.id::text from before o);
  if webhook_wanted('user.deleted') then
    insert into webhook_event (type, subject, data)
    select 'user.deleted', o.id::text, json_build_object('id', o.id) from before o;
  end if;
  return null;
end $$;

create function webhook_users_updated() returns trigger
  language plpgsql set search_path from current as $$
begin
  if not webhook_any_wanted() then
    return null;
  end if;
  insert into webhook_event (type, subject, data)
  select t.type, n.id::text,
         webhook_user(n.id, n.email, n.display_name, n.email_proved_at, n.role_id, n.disabled_at, n.erases_at, n.created_at)
  from before o join after n on n.id = o.id cross join lateral (values
    ('user.updated', (o.email, o.display_name, o.email_proved_at is null, o.role_id)
         is distinct from (n.email, n.display_name, n.email_proved_at is null, n.role_id)
       or (o.disabled_at is null) = (n.disabled_at is null) and (o.erases_at is null) <> (n.erases_at is null)),
    ('user.disabled', o.disabled_at is null and n.disabled_at is not null),
    ('user.enabled', o.disabled_at is not null and n.disabled_at is null)) t (type, happened)
  where t.happened and webhook_wanted(t.type);
  return null;
end $$;

-- The triggers are per statement: an import writes its events with one more statement. Without a subscribed endpoint they only check for
-- one. A change that products cannot see, such as the first session of an account, is no event.
create function webhook_wanted(wanted text) returns boolean
  language sql stable
  return exists (select from webhook_endpoint e where e.disabled_at is null and wanted = any (e.events));

create trigger account_webhook_deleted after delete on account
  referencing old table as before
  for each statement execute function webhook_users_deleted();
create trigger account_webhook_inserted after insert on account
  referencing new table as after
  for each statement execute function webhook_users_created();
create trigger account_webhook_updated after update on account
  referencing old table as before new table as after
  for each statement execute function webhook_users_updated();
create trigger customer_webhook_updated after update on customer
  referencing old table as before new table as after
  for each statement execute function webhook_customers_updated();
create trigger identity_webhook_deleted after delete on identity
  referencing old table as before
  for each statement execute function webhook_identities_removed();
create trigger identity_webhook_inserted after insert on identity
  referencing new table as after
  for each statement execute function webhook_identities_added();
create trigger invitation_webhook_deleted after delete on invitation
  referencing old table as before
  for each statement execute function webhook_invitations_removed();
create trigger invitation_webhook_inserted after insert on invitation
  referencing new table as after
  for each statement execute function webhook_invitations_added();
create trigger invitation_webhook_updated after update on invitation
  referencing old table as before new table as after
  for each statement execute function webhook_invitations_changed();
create trigger membership_webhook_deleted after delete on membership
  referencing old table as before
  for each statement execute function webhook_members_removed();
create trigger membership_webhook_inserted after insert on membership
  referencing new table as after
  for each statement execute function webhook_members_added();
create trigger membership_webhook_updated after update on membership
  referencing old table as before new table as after
  for each statement execute function webhook_members_changed();
create trigger organization_webhook_deleted after delete on organization
  referencing old table as before
  for each statement execute function webhook_organizations_deleted();
create trigger organization_webhook_inserted after insert on organization
  referencing new table as after
  for each statement execute function webhook_organizations_created();
create trigger organization_webhook_updated after update on organization
  referencing old table as before new table as after
  for each statement execute function webhook_organizations_updated();
create trigger subscription_webhook_inserted after insert on subscription
  referencing new table as after
  for each statement execute function webhook_subscriptions_created();
create trigger subscription_webhook_updated after update on subscription
  referencing old table as before new table as after
  for each statement execute function webhook_subscriptions_updated();
create trigger webhook_event_inserted after insert on webhook_event
  referencing new table as added
  for each statement execute function webhook_deliveries_put();

insert into schema_compatibility values (8, 8);
