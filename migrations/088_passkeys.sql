-- Up Migration

-- Passkeys (WebAuthn): second factors, and sign-ins of their own. docs/decisions/passkeys.md has the rules.
-- Like the password they open accounts of the built-in issuer, and go with it.
create table passkey (
  id            uuid primary key default uuid_v7(),
  account_id    uuid not null references credential on delete cascade,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key    bytea not null,               -- COSE (RFC 9052 §7)
  sign_count    bigint not null default 0,    -- as the authenticator counts; 0 for ever where it does not
  transports    text[] not null default '{}', -- where the browser finds the authenticator
  backed_up     boolean not null default false, -- whether it is copied to other devices
  aaguid        uuid not null,                -- model of the authenticator; zeros where it does not say
  friendly_name text not null check (length(friendly_name) between 1 and 100),
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz,
  unique (account_id, friendly_name)
);

-- How an account is called on authenticators: 32 random bytes, from the first passkey on.
alter table account add column webauthn_user_id bytea;

-- What authenticators are asked to sign: each once, within minutes, for one purpose.
create table webauthn_challenge (
  hash       bytea primary key,               -- SHA-256 of the challenge
  purpose    text not null,
  account_id uuid references account on delete cascade, -- null: of a sign-in that names no account
  session_id uuid references session on delete cascade, -- whose call asked for it, where one was open
  expires_at timestamptz not null
);
create index webauthn_challenge_of on webauthn_challenge (account_id, expires_at) where account_id is not null;
create index webauthn_challenge_in on webauthn_challenge (session_id) where session_id is not null;
create index webauthn_challenge_old on webauthn_challenge (expires_at);

-- The factors that are in effect, of either kind.
create view second_factor as
  select id, account_id, friendly_name, 'totp' as type, created_at from factor where verified_at is not null
  union all
  select id, account_id, friendly_name, 'passkey', created_at from passkey;

-- The view that user data reads, unless an operator has replaced it.
do $$
begin
  if (select bool_and(d.refobjid = 'factor'::regclass)
      from pg_rewrite r
      join pg_depend d on d.objid = r.oid and d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass
      where r.ev_class = to_regclass('directory.factor') and d.refobjid <> r.ev_class)
  then
    create or replace view directory.factor as select id, account_id, friendly_name from second_factor;
  end if;
end $$;

create trigger passkey_inserted after insert on passkey
  referencing new table as changed for each statement execute function tell_accounts_changed('account_id');
create trigger passkey_updated after update on passkey
  referencing new table as changed for each statement execute function tell_accounts_changed('account_id');
create trigger passkey_deleted after delete on passkey
  referencing old table as changed for each statement execute function tell_accounts_changed('account_id');

insert into schema_compatibility values (88, 66);
