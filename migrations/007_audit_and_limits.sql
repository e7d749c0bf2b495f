-- Up Migration

-- The audit log, keys of programs, limits, and work that nodes share.

-- An event in the audit log. Rows are only added. There are no foreign keys, because an event stays when its account is removed.
create table audit_event (
  id uuid primary key default uuid_v7(),
  at timestamptz not null default now(),
  action text not null check (action ~ '^[a-z][a-z0-9_]{0,62}[.][a-z][a-z0-9_]{0,62}$'),
  -- The account that acted. Null: an operator on the server, or unknown.
  actor_id uuid,
  target_kind text,
  target_id text check (length(target_id) between 1 and 400),
  address text check (length(address) between 1 and 100),
  request_id text check (length(request_id) between 1 and 100),
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  -- The user of the operating system who ran a command.
  operator text check (length(operator) between 1 and 100),
  -- Null: actor_id is an account.
  actor_kind text check (actor_kind in ('account', 'service', 'operator')),
  constraint audit_event_check check ((target_kind is null) = (target_id is null))
);
create index audit_event_kept on audit_event (at) where action <> 'session.refused';
create index audit_event_of_action on audit_event (action, at, id);
create index audit_event_of_actor on audit_event (actor_id, at, id) where actor_id is not null;
create index audit_event_of_target on audit_event (target_id, at, id) where target_id is not null;
create index audit_event_page on audit_event (at, id);
create index audit_event_refused on audit_event (address, at) where action = 'session.refused';

-- An API key for a program, without an account. docs/administration.md describes them.
create table service_key (
  id uuid primary key default uuid_v7(),
  name text not null check (length(name) between 1 and 100),
  -- SHA-256. The key itself is shown once and not stored.
  hash bytea not null unique,
  -- The beginning of the key, to tell keys apart.
  hint text not null check (length(hint) between 1 and 20),
  -- The key can read only this organization.
  organization_id uuid references organization on delete cascade,
  -- Null: an operator on the server.
  created_by uuid references account on delete set null,
  created_at timestamptz not null default now(),
  -- At most 366 days after it was created.
  expires_at timestamptz not null,
  -- Written every 15 minutes at most.
  last_used_at timestamptz,
  last_used_network text,
  revoked_at timestamptz,
  -- Replaced by another key; it expires after the overlap.
  rotated_at timestamptz,
  replaces uuid references service_key on delete set null,
  constraint service_key_check check (expires_at <= created_at + interval '8784 hours')
);
create index service_key_by on service_key (created_by) where created_by is not null;
create index service_key_ends on service_key (expires_at) where revoked_at is null;
create index service_key_of on service_key (organization_id) where organization_id is not null;
create index service_key_replaces on service_key (replaces) where replaces is not null;
create unique index service_key_name on service_key (name) where revoked_at is null and rotated_at is null;

-- A permission of a service key.
create table service_key_grant (
  key_id uuid not null references service_key on delete cascade,
  resource text not null,
  action text not null,
  constraint service_key_grant_check check ((resource, action) in (
    ('users', 'list'), ('users', 'read'), ('user_data', 'read'), ('provider_keys', 'validate'), ('organization', 'read'))),
  primary key (key_id, resource, action)
);

-- The last valid JWKS of a remote issuer. A node that starts while the issuer is down uses it for as long as a running node would.
create table issuer_key_set (
  issuer text primary key,
  -- The address of the JWKS. Ignored unless it is configured.
  source text not null,
  keys jsonb not null check (jsonb_typeof(keys) = 'array'),
  fetched_at timestamptz not null
);

-- A key that all nodes share. It does not protect against a reader of this database. `cursor` signs the cursors of lists, so that clients
-- cannot forge them.
create table keyring (
  name text primary key,
  key bytea not null
);

insert into keyring (name, key) values
  ('cursor', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
  ('fingerprint', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- A counter of one limit, over all nodes. Unlogged: a crash of the server loses at most a minute of counts, and a count needs no flush to
-- the disk.
create unlogged table rate_limit (
  key varchar(255) primary key,
  points int not null default 0,
  -- Milliseconds since 1970, by the clock of the node.
  expire bigint
);
create index rate_limit_expire on rate_limit (expire);

-- Failed keys at a provider and the places of running checks, of one share: a caller, a network or the whole provider, as SHA-256.
-- Unlogged: a crash of the server loses some minutes of counts, and a count needs no flush to the disk.
create unlogged table key_failure_share (
  share text primary key,
  -- Milliseconds since 1970, by the clock of the node: when each failure leaves the window, and when a place that was never freed expires.
  failures bigint[] not null,
  held bigint[] not null,
  -- Of the last change: the places that it took or freed, and how many there could be.
  places int not null,
  places_max int not null,
  -- The row has no meaning after this time.
  ends_at bigint not null
);
create index key_failure_share_end on key_failure_share (ends_at);

-- The outcome of a failed key. `digest` is a keyed hash of the credential, `asked_by` one of the credential and the caller.
create unlogged table failed_key (
  digest text primary key,
  asked_by text not null,
  outcome jsonb not null,
  checked_at bigint not null,
  ends_at bigint not null
);
create index failed_key_end on failed_key (ends_at);

-- A lock. A transaction that holds it has locked this row. docs/decisions/database.md has the rules. The migrator uses it too and has
-- created the table already. Unlogged: after a crash nothing is locked, and a missing row is created again.
create unlogged table if not exists named_lock (
  name text primary key
);

-- A long task that runs on one node. Its transaction has this number and lasts as long as the task.
create unlogged table node_task (
  name text primary key,
  xid xid8 not null
);

-- Work that one node does for all every few minutes, and when it was last done.
create table upkeep (
  task text primary key,
  finished_at timestamptz not null,
  -- How many rows each task has deleted, over all nodes.
  deleted bigint not null default 0
);

-- Waits for the lock, and holds it until the end of the transaction.
create function lock_name(wanted text) returns void
  language plpgsql set search_path from current as $$
begin
  perform from named_lock where name = wanted for update;
  if not found then
    insert into named_lock values (wanted) on conflict do nothing;
    perform from named_lock where name = wanted for update;
  end if;
end $$;

-- Null if another transaction holds the lock, otherwise the number of this one. The row must exist: creating it would wait for that
-- transaction.
create function try_lock_name(wanted text) returns xid8
  language plpgsql set search_path from current as $$
begin
  perform from named_lock where name = wanted for update skip locked;
  if not found then
    return null;
  end if;
  return pg_current_xact_id();
end $$;

