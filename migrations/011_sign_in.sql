-- Up Migration

-- The table below throttles addresses with and without an account alike.
alter table credential drop column failures, drop column locked_until;

-- Addresses and networks that must wait after wrong passwords and codes. The key is a SHA-256, so that an address without an
-- account leaves no personal data.
create table sign_in_wait (
  key         bytea primary key,
  failures    int not null,
  failed_at   timestamptz not null,
  waits_until timestamptz not null
);
create index sign_in_wait_old on sign_in_wait (failed_at);

-- The password was correct and the second factor is missing. This is not a session, and no token is issued for it.
create table sign_in_challenge (
  hash       bytea primary key,               -- SHA-256 of the client's value
  account_id uuid not null references account on delete cascade,
  attempts   int not null default 0,
  expires_at timestamptz not null
);
create index sign_in_challenge_of on sign_in_challenge (account_id);
create index sign_in_challenge_old on sign_in_challenge (expires_at);

-- Recovery codes, for users who lost their second factor. A used one is deleted. Each has 80 random bits, so SHA-256 suffices.
create table recovery_code (
  account_id uuid not null references account on delete cascade,
  hash       bytea not null,
  primary key (account_id, hash)
);

alter table session
  add column last_used_at timestamptz not null default now(),
  add column address      text check (length(address) between 1 and 100),     -- the address that signed in
  add column network      text check (length(network) between 1 and 100),     -- its network, which stays the same in a household
  add column user_agent   text check (length(user_agent) between 1 and 200);
create index session_over on session (least(ended_at, expires_at));
create index factor_unverified on factor (created_at) where verified_at is null;

-- Invitations to sign up. Each is for one address and can be used once.
create table sign_up_invitation (
  hash       bytea primary key,               -- SHA-256 of the token
  email      text not null,                   -- normalised
  role_id    text not null references role on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index sign_up_invitation_old on sign_up_invitation (expires_at);
