-- Up Migration

-- Waits are counted below, alike for addresses with and without an account.
alter table credential drop column failures, drop column locked_until;

-- Who waits after wrong passwords and codes: an address that signs in, or a network. The key is a SHA-256, so that an address
-- without an account leaves nothing of a person here.
create table sign_in_wait (
  key         bytea primary key,
  failures    int not null,
  failed_at   timestamptz not null,
  waits_until timestamptz not null
);
create index sign_in_wait_old on sign_in_wait (failed_at);

-- A password was right and a second factor is asked for. Not a session: no token is made for it.
create table sign_in_challenge (
  hash       bytea primary key,               -- SHA-256 of what the client holds
  account_id uuid not null references account on delete cascade,
  attempts   int not null default 0,
  expires_at timestamptz not null
);
create index sign_in_challenge_of on sign_in_challenge (account_id);
create index sign_in_challenge_old on sign_in_challenge (expires_at);

-- For whoever lost the second factor. A used one is deleted; 80 random bits each, so a plain SHA-256 is enough.
create table recovery_code (
  account_id uuid not null references account on delete cascade,
  hash       bytea not null,
  primary key (account_id, hash)
);

alter table session
  add column last_used_at timestamptz not null default now(),
  add column address      text check (length(address) between 1 and 100),     -- where it was opened from
  add column network      text check (length(network) between 1 and 100),     -- the same without what a household changes
  add column user_agent   text check (length(user_agent) between 1 and 200);
create index session_over on session (least(ended_at, expires_at));
create index factor_unverified on factor (created_at) where verified_at is null;

-- Who may sign up where it takes an invitation. One address, once.
create table sign_up_invitation (
  hash       bytea primary key,               -- SHA-256 of the token
  email      text not null,                   -- normalised
  role_id    text not null references role on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index sign_up_invitation_old on sign_up_invitation (expires_at);
