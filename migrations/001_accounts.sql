-- Up Migration

-- UUIDv7 (RFC 9562 §5.7): time-ordered, so that new keys go to the end of their index. PostgreSQL has such a function from 18 on.
create function uuid_v7() returns uuid
  language sql volatile parallel safe
  return encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid;

create table role (
  id   text primary key check (id ~ '^[a-z][a-z0-9_-]{0,62}$'),
  name text not null check (length(name) between 1 and 200)
);

-- A permission is a resource and an action. Roles and plans grant permissions; a caller has the union of these rows.
create table role_grant (
  role_id  text not null references role on delete cascade,
  resource text not null check (resource ~ '^[a-z][a-z0-9_]{0,62}$'),
  action   text not null check (action ~ '^[a-z][a-z0-9_]{0,62}$'),
  primary key (role_id, resource, action)
);

insert into role (id, name) values
  ('user', 'User'), ('admin', 'Administrator'), ('member', 'Member'), ('owner', 'Owner');
insert into role_grant (role_id, resource, action) values
  ('user', 'provider_keys', 'validate'),
  ('admin', 'provider_keys', 'validate'),
  ('admin', 'users', 'list');

create table account (
  id            uuid primary key default uuid_v7(),
  email         text check (length(email) between 3 and 254),  -- for display; not unique, and not verified
  role_id       text not null default 'user' references role,
  first_session text,                                          -- the session in which the account was first used
  created_at    timestamptz not null default now(),
  disabled_at   timestamptz
);
create index account_page on account (created_at, id);

-- The subject of an account at an issuer. The same subject at two issuers is two users.
create table identity (
  issuer     text not null,
  subject    text not null check (length(subject) between 1 and 255),
  account_id uuid not null references account on delete cascade,
  primary key (issuer, subject)
);
create index identity_of on identity (account_id);

create table organization (
  id         uuid primary key default uuid_v7(),
  name       text not null check (length(name) between 1 and 200),
  created_at timestamptz not null default now()
);

create table membership (
  organization_id uuid not null references organization on delete cascade,
  account_id      uuid not null references account on delete cascade,
  role_id         text not null default 'member' references role,
  joined_at       timestamptz not null default now(),
  primary key (organization_id, account_id)
);
create index membership_of on membership (account_id, joined_at, organization_id);
