-- Up Migration

-- The tables of the built-in issuer. They stay empty where it is disabled.
create table credential (
  account_id   uuid primary key references account on delete cascade,
  email        text not null unique,          -- normalised by the service
  password     text not null,                 -- a PHC string
  failures     int not null default 0,
  locked_until timestamptz
);

create table factor (
  id            uuid primary key default uuid_v7(),
  account_id    uuid not null references account on delete cascade,
  friendly_name text not null check (length(friendly_name) between 1 and 100),
  secret        bytea not null,               -- encrypted; the first byte is the version of the key
  verified_at   timestamptz,                  -- a factor counts after its first correct code
  last_step     bigint not null default 0,    -- the time step of the last accepted code (RFC 6238 §5.2: never twice)
  created_at    timestamptz not null default now(),
  unique (account_id, friendly_name)
);

create table session (
  id         uuid primary key default uuid_v7(),
  account_id uuid not null references account on delete cascade,
  amr        text[] not null,                 -- the authentication methods (RFC 8176)
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at   timestamptz
);
create index session_of on session (account_id);

create table refresh_token (
  hash       bytea primary key,               -- SHA-256 of the token
  session_id uuid not null references session on delete cascade,
  spent_at   timestamptz
);
create index refresh_token_of on refresh_token (session_id);

-- A key is published before it signs, and stays published until the last token that it signed has expired.
create table signing_key (
  kid            text primary key,
  public         jsonb not null,              -- JWK
  private        bytea not null,              -- encrypted JWK
  signs_from     timestamptz not null,
  verifies_until timestamptz not null
);
