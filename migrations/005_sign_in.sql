-- Up Migration

-- The built-in issuer. Its tables stay empty if it is disabled.

-- An account of the built-in issuer: its email and password.
create table credential (
  account_id uuid primary key references account on delete cascade,
  -- Normalized by the service.
  email text not null unique,
  -- A PHC string.
  password text not null,
  -- When a generated password expires, which is good only for choosing a new one. Null: the password is not a generated one.
  initial_until timestamptz,
  -- When the hash was stored, for `muster passwords expire`.
  hashed_at timestamptz default now()
);
create index credential_outdated on credential (account_id) where password not like '$argon2id$v=19$m=19456,t=2,p=1$%';

-- An authenticator app (TOTP) of an account.
create table factor (
  id uuid primary key default uuid_v7(),
  account_id uuid not null references account on delete cascade,
  friendly_name text not null check (length(friendly_name) between 1 and 100),
  -- Encrypted. The first byte is the version of the key.
  secret bytea not null,
  -- Null until the first correct code: it does not count yet.
  verified_at timestamptz,
  -- The time step of the last accepted code, which is never accepted twice (RFC 6238 §5.2).
  last_step bigint not null default 0,
  created_at timestamptz not null default now(),
  -- How many steps its clock is off.
  drift smallint not null default 0 check (drift between -2 and 2),
  -- The step of a rejected code just outside the accepted ones: the next such code is accepted.
  missed_step bigint,
  constraint factor_account_id_friendly_name_key unique (account_id, friendly_name)
);
create index factor_unverified on factor (created_at) where verified_at is null;

-- A passkey (WebAuthn) of an account: a second factor, or a sign-in without a password. docs/decisions/levels.md has the rules.
create table passkey (
  id uuid primary key default uuid_v7(),
  account_id uuid not null references credential on delete cascade,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  -- COSE (RFC 9052 §7).
  public_key bytea not null,
  -- The authenticator's counter. Always 0 if it has none.
  sign_count bigint not null default 0,
  -- The transports by which the browser reaches the authenticator.
  transports text[] not null default '{}',
  -- Whether it is synced to other devices.
  backed_up boolean not null default false,
  -- The model of the authenticator (AAGUID). Zeros if unknown.
  aaguid uuid not null,
  friendly_name text not null check (length(friendly_name) between 1 and 100),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  constraint passkey_account_id_friendly_name_key unique (account_id, friendly_name)
);

-- A second factor of the built-in issuer: a verified authenticator app, or a passkey.
create view second_factor as
  select id, account_id, friendly_name, 'totp' as type, created_at from factor where verified_at is not null
  union all
  select id, account_id, friendly_name, 'passkey', created_at from passkey;

-- The second factors in user data. `muster directory use` replaces the view to read another product's tables.
create view directory_factor as
  select id, account_id, friendly_name from second_factor;

-- A recovery code, for a user who has lost the second factor. A used one is deleted.
create table recovery_code (
  account_id uuid not null references account on delete cascade,
  hash bytea not null,
  -- Its random bits.
  bits smallint not null default 79,
  primary key (account_id, hash)
);

-- A client that an account has signed in with. Its token proves only that the client was seen before.
create table device (
  id uuid primary key default uuid_v7(),
  account_id uuid not null references account on delete cascade,
  -- SHA-256 of the token.
  hash bytea not null unique,
  -- The user agent.
  label text check (length(label) between 1 and 200),
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
create index device_of on device (account_id, last_used_at desc);
create index device_old on device (last_used_at);

-- A session of the built-in issuer.
create table session (
  id uuid primary key default uuid_v7(),
  account_id uuid not null references account on delete cascade,
  -- The authentication methods (RFC 8176).
  amr text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  last_used_at timestamptz not null default now(),
  -- The address at the sign-in.
  address text check (length(address) between 1 and 100),
  -- Its network, which stays the same in a household.
  network text check (length(network) between 1 and 100),
  user_agent text check (length(user_agent) between 1 and 200),
  -- The successor of a refresh token is derived from the token and this seed, so that a lost answer can be repeated. 366 random bits.
  refresh_salt bytea not null default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
  device_id uuid references device on delete set null,
  -- Opened with a generated password: it can only replace the password.
  must_change_password boolean not null default false,
  -- When the user last authenticated.
  proved_at timestamptz not null default now(),
  -- The chosen current organization. It counts while the account is a member of it. Null: the one joined first.
  organization_id uuid references organization on delete set null,
  aal smallint not null generated always as (case when 'mfa' = any (amr) then 2 else 1 end) stored
);
create index session_device on session (device_id) where device_id is not null;
create index session_in_organization on session (organization_id) where organization_id is not null;
create index session_of on session (account_id);
create index session_opened on session (account_id, created_at desc) where network is not null;
create index session_over on session (least(ended_at, expires_at));

-- A refresh token of a session.
create table refresh_token (
  -- SHA-256 of the token.
  hash bytea primary key,
  session_id uuid not null references session on delete cascade,
  spent_at timestamptz,
  -- How often it was answered again after its use.
  repeats smallint not null default 0
);
create index refresh_token_of on refresh_token (session_id);

-- A sign-in with a correct password and a missing second factor. It is not a session.
create table sign_in_challenge (
  -- SHA-256 of the value that the client has.
  hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  attempts int not null default 0,
  expires_at timestamptz not null,
  -- The methods used so far, for the session (RFC 8176).
  methods text[] not null default '{pwd}'
);
create index sign_in_challenge_of on sign_in_challenge (account_id);
create index sign_in_challenge_old on sign_in_challenge (expires_at);

-- A WebAuthn challenge: usable once, within minutes, for one purpose.
create table webauthn_challenge (
  -- SHA-256 of the challenge.
  hash bytea primary key,
  purpose text not null,
  -- Null: of a sign-in that names no account.
  account_id uuid references account on delete cascade,
  -- The session that requested it, if any.
  session_id uuid references session on delete cascade,
  expires_at timestamptz not null
);
create index webauthn_challenge_in on webauthn_challenge (session_id) where session_id is not null;
create index webauthn_challenge_of on webauthn_challenge (account_id, expires_at) where account_id is not null;
create index webauthn_challenge_old on webauthn_challenge (expires_at);

-- Rate limit of sign-in attempts: a bucket (GCRA) of an email, device, session, second step or network, or of its calls. The key is a
-- SHA-256, so that an email without an account leaves no personal data.
create table sign_in_bucket (
  key bytea primary key,
  -- Failures of an account or a network, or calls whatever their outcome.
  scope text not null check (scope in ('account', 'network', 'calls')),
  -- When the bucket is full again: one step later for each missing unit.
  full_at timestamptz not null,
  -- Attempts since the last success. Of a network or of calls: all attempts.
  failures int not null,
  capacity int not null check (capacity > 0),
  step interval not null,
  -- Of an email: the network that its last attempt was charged to.
  last_network bytea,
  -- The units that a success there returns.
  last_network_units smallint not null default 0,
  touched_at timestamptz not null default now()
);
create index sign_in_bucket_old on sign_in_bucket (touched_at) where scope <> 'calls';
create index sign_in_bucket_calls on sign_in_bucket (touched_at) where scope = 'calls';

-- A link, mailed or shown once, that recovers an account or verifies an email. docs/decisions/mail.md has the rules.
create table account_link (
  -- SHA-256 of the token.
  hash bytea primary key,
  purpose text not null,
  account_id uuid not null references account on delete cascade,
  -- The email that the link is about, if it differs from the account's email.
  email text,
  -- SHA-256 of purpose, password hash, email and security epoch. A change of any of them invalidates the link.
  bound_to bytea not null,
  -- The account that created it. Null: an operator on the server.
  created_by uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Attempts with a second factor.
  tries smallint not null default 0,
  -- A change of email without a second factor needs the links to both the old and the new one. True until the other one is used.
  awaits_other boolean not null default false
);
create index account_link_of on account_link (account_id);
create index account_link_old on account_link (expires_at);

-- An invitation to sign up, for one email, usable once.
create table sign_up_invitation (
  -- SHA-256 of the token.
  hash bytea primary key,
  -- Normalized.
  email text not null,
  role_id text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- The name of the new account, unless the user chooses another one.
  display_name text check (length(display_name) between 1 and 200 and display_name is nfc normalized and display_name = btrim(display_name)),
  -- Whether the operator hands the token to the owner of the email. Until it expires, an invitation reserves its email.
  proves_email boolean not null default false,
  constraint sign_up_invitation_has_role_for_accounts foreign key (role_id) references role (account_role_id) on delete cascade
);
create index sign_up_invitation_old on sign_up_invitation (expires_at);
create index sign_up_invitation_reserves on sign_up_invitation (email) where used_at is null;

-- A link with which the owner of an email creates an account. Before it is used, there is no account.
create table sign_up_link (
  -- SHA-256 of the token.
  hash bytea primary key,
  -- Normalized by the service.
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sign_up_link_of on sign_up_link (email);
create index sign_up_link_old on sign_up_link (expires_at);

-- A key that signs access tokens. It is published before it signs, until the last token that it signed has expired.
create table signing_key (
  kid text primary key,
  -- JWK.
  public jsonb not null,
  -- JWK, encrypted.
  private bytea not null,
  signs_from timestamptz not null,
  verifies_until timestamptz not null
);

