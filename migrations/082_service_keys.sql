-- Up Migration

-- Keys by which programs call, without an account. docs/service-keys.md describes them.
create table service_key (
  id                uuid primary key default uuid_v7(),
  name              text not null check (length(name) between 1 and 100),
  hash              bytea not null unique,               -- SHA-256: the key itself is shown once and not stored
  hint              text not null check (length(hint) between 1 and 20), -- how the key begins, to tell keys apart
  organization_id   uuid references organization on delete cascade,      -- what the key reads lies in this one
  created_by        uuid references account on delete set null,          -- null: an operator at the machine
  created_at        timestamptz not null default now(),
  expires_at        timestamptz not null check (expires_at <= created_at + interval '8784 hours'), -- 366 days
  last_used_at      timestamptz,                         -- written every 15 minutes at most
  last_used_network text,
  revoked_at        timestamptz,
  rotated_at        timestamptz,                         -- another key replaces it, and it ends with the overlap
  replaces          uuid references service_key on delete set null
);
-- A key and the one that it replaces have one name.
create unique index service_key_name on service_key (name) where revoked_at is null and rotated_at is null;
create index service_key_ends on service_key (expires_at) where revoked_at is null;
create index service_key_of on service_key (organization_id) where organization_id is not null;
create index service_key_by on service_key (created_by) where created_by is not null;
create index service_key_replaces on service_key (replaces) where replaces is not null;

create table service_key_grant (
  key_id   uuid not null references service_key on delete cascade,
  resource text not null,
  action   text not null,
  primary key (key_id, resource, action),
  -- What a program may do is a closed list: nothing that changes an account, a role or an organisation.
  constraint service_key_grant_check check ((resource, action) in (
    ('users', 'list'), ('users', 'read'), ('user_data', 'read'), ('provider_keys', 'validate'), ('organization', 'read')))
);

-- Administrators make keys, and give a key only what their own role grants.
insert into role_grant (role_id, resource, action)
select 'admin', resource, action
from (values ('service_keys', 'manage'), ('user_data', 'read'), ('organization', 'read')) granted (resource, action)
where exists (select from role where id = 'admin')
on conflict do nothing;

-- Who acted: an account, a service key, or an operator at the machine. Older events have none: actor_id is an account there.
alter table audit_event add column actor_kind text check (actor_kind in ('account', 'service', 'operator'));

insert into schema_compatibility values (82, 66);
