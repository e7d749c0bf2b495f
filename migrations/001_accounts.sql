-- Up Migration

-- The transaction of a file ends with its row in muster_migration, so no file runs twice.
create unique index muster_migration_name on muster_migration (name);

-- A migration, and the oldest release that works with it. docs/decisions/migrations.md has the rules.
create table schema_compatibility (
  -- The number of its file.
  migration int primary key,
  -- The number of the newest migration that a release must have.
  works_with int not null,
  constraint schema_compatibility_check check (works_with <= migration)
);

-- Accounts: who the users are, and what roles grant.

-- UUIDv7 (RFC 9562 §5.7): time-ordered, so that new keys go to the end of their index. PostgreSQL has such a function from 18 on.
create function uuid_v7() returns uuid
  language sql volatile parallel safe
  return encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid;

-- The scope of a permission. src/identity/permission-scope.ts has the same list, and a test compares the two. Generated columns store the
-- results, so a migration that changes the function must add those columns again.
create function permission_scope(resource text, action text) returns text
  language sql immutable parallel safe
  return case
    when resource in ('audit', 'organizations', 'plans', 'roles', 'service_keys', 'subscriptions', 'system', 'user_data', 'users', 'webhooks')
      then 'service'
    when resource = 'organization' and action = 'create' then 'account'
    when resource in ('billing', 'organization') then 'organization'
    else 'product'
  end;

-- One quoted field of CSV (RFC 4180). A value that a spreadsheet could interpret as a formula gets an apostrophe (ASVS 1.2.10).
create function csv_field(value text) returns text
  language sql immutable parallel safe
  return '"' || replace(case when value ~ '^[=+@\t\r\n＝＋－＠-]' then '''' || value else coalesce(value, '') end,
                        '"', '""') || '"';

-- Every three adjacent characters of a text: 'ada@x' has 'ada', 'da@', 'a@x' and, because a search term may be shorter, '@x ' and 'x  ',
-- so that each character starts one. Three passes, because one pass finds only every third.
create function text_parts(text text) returns tsvector
  language sql immutable strict parallel safe
  return array_to_tsvector(array_remove(string_to_array(
           regexp_replace(text || '  ', '(...)', E'\\1\x1f', 'g') || E'\x1f' ||
           regexp_replace(substr(text, 2) || '  ', '(...)', E'\\1\x1f', 'g') || E'\x1f' ||
           regexp_replace(substr(text, 3) || '  ', '(...)', E'\\1\x1f', 'g'), E'\x1f'), ''));

-- Matches the `text_parts` of every text that contains this part. A part of one or two characters is matched as a prefix.
create function parts_query(part text) returns tsquery
  language sql immutable strict parallel safe
  return (
    select string_agg('''' || replace(replace(substr(part, n, 3), '\', '\\'), '''', '''''') || '''', ' & ')
             || case when length(part) < 3 then ':*' else '' end
    from generate_series(1, greatest(length(part) - 2, 1)) n)::tsquery;

-- A text as searches compare it: in NFC and lower case, with one sigma, and with one plain space for each run of spaces. ASCII is lowered
-- first, so that the letters of emails do not depend on the locale of the database: Turkish has another lower case of I. Sigma has two lower
-- cases, one of them for the end of a word. Browsers show a run of spaces as one.
create function search_fold(text text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(translate(lower(lower(normalize(text, nfc) collate "C") collate "default"), 'ς', 'σ'),
                        '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g');

-- The Unicode text of an A-label without its prefix xn-- (RFC 3492 §6.2), or null if it is malformed. Fails for no text, because it runs
-- for every email that is inserted.
create function punycode_decode(encoded text) returns text
  language plpgsql immutable strict parallel safe as $$
declare
  digits constant text := 'abcdefghijklmnopqrstuvwxyz0123456789';
  basic constant text := coalesce(substring(encoded from '^(.*)-'), '');
  decoded text[] := coalesce(string_to_array(nullif(basic, ''), null), '{}');
  at int := case when encoded like '%-%' then length(basic) + 2 else 1 end;
  point bigint := 128;
  place bigint := 0;
  bias bigint := 72;
  previous bigint;
  weight bigint;
  step bigint;
  digit bigint;
  threshold bigint;
  delta bigint;
begin
  while at <= length(encoded) loop
    previous := place;
    weight := 1;
    step := 36;
    loop
      digit := strpos(digits, substr(encoded, at, 1)) - 1;
      if at > length(encoded) or digit < 0 or weight > 1000000000 then
        return null;
      end if;
      at := at + 1;
      place := place + digit * weight;
      threshold := least(greatest(step - bias, 1), 26);
      exit when digit < threshold;
      weight := weight * (36 - threshold);
      step := step + 36;
    end loop;
    delta := (place - previous) / case when previous = 0 then 700 else 2 end;
    delta := delta + delta / (cardinality(decoded) + 1);
    bias := 0;
    while delta > 455 loop
      delta := delta / 35;
      bias := bias + 36;
    end loop;
    bias := bias + 36 * delta / (delta + 38);
    point := point + place / (cardinality(decoded) + 1);
    place := place % (cardinality(decoded) + 1);
    if point > 1114111 or point between 55296 and 57343 then
      return null;
    end if;
    decoded := decoded[1:place] || chr(point::int) || decoded[place + 1:];
    place := place + 1;
  end loop;
  return array_to_string(decoded, '');
end $$;

-- An email as it is found by a search: as stored and, if its domain has A-labels, a second time with the domain in Unicode.
create function email_forms(key text) returns text
  language sql immutable strict parallel safe
  return case when strpos(key, 'xn--') = 0 then key else key || E'\n' || split_part(key, '@', 1) || '@' || search_fold((
    select string_agg(case when label like 'xn--%' then coalesce(punycode_decode(substr(label, 5)), label) else label end, '.' order by n)
    from unnest(string_to_array(split_part(key, '@', 2), '.')) with ordinality as labels (label, n))) end;

-- All that is kept of a removed identity: enough to reject a token from before the removal.
create function identity_hash(issuer text, subject text) returns bytea
  language sql stable parallel safe
  return sha256(convert_to(jsonb_build_array(issuer, subject)::text, 'UTF8'));

-- A role, for accounts or for members of organizations.
create table role (
  id text primary key check (id ~ '^[a-z][a-z0-9_-]{0,62}$'),
  name text not null check (length(name) between 1 and 200),
  -- Whether it is a role for members.
  for_members boolean not null default false,
  -- Its grants count only in a session with a second factor. docs/decisions/levels.md has the rules.
  requires_mfa boolean not null default false,
  -- The id of a role for accounts, or null. Foreign keys refer to these two columns, and so reject a role of the other kind.
  account_role_id text generated always as (case when not for_members then id end) stored unique,
  member_role_id text generated always as (case when for_members then id end) stored unique
);

-- A permission that a role grants.
create table role_grant (
  role_id text not null references role on delete cascade,
  resource text not null check (resource ~ '^[a-z][a-z0-9_]{0,62}$'),
  action text not null check (action ~ '^[a-z][a-z0-9_]{0,62}$'),
  -- The role, if only a role for accounts can grant the permission.
  account_role_id text generated always as (case when permission_scope(resource, action) in ('service', 'account') then role_id end) stored,
  primary key (role_id, resource, action),
  constraint role_grant_needs_role_for_accounts foreign key (account_role_id) references role (account_role_id) on delete cascade
);

insert into role (id, name, for_members) values
  ('user', 'User', false), ('admin', 'Administrator', false), ('member', 'Member', true), ('owner', 'Owner', true);
insert into role_grant (role_id, resource, action) values
  ('user', 'provider_keys', 'validate'),
  ('admin', 'audit', 'read'),
  ('admin', 'organization', 'create'), ('admin', 'organization', 'read'),
  ('admin', 'organizations', 'list'),
  ('admin', 'plans', 'list'),
  ('admin', 'provider_keys', 'validate'),
  ('admin', 'roles', 'list'),
  ('admin', 'service_keys', 'manage'),
  ('admin', 'subscriptions', 'manage'), ('admin', 'subscriptions', 'read'),
  ('admin', 'system', 'read'),
  ('admin', 'user_data', 'read'),
  ('admin', 'users', 'act_as'), ('admin', 'users', 'change_role'), ('admin', 'users', 'disable'), ('admin', 'users', 'enable'),
  ('admin', 'users', 'end_sessions'), ('admin', 'users', 'erase'), ('admin', 'users', 'list'), ('admin', 'users', 'read'),
  ('admin', 'users', 'recover'), ('admin', 'users', 'rename'), ('admin', 'users', 'reset_factors'),
  ('admin', 'webhooks', 'manage'),
  ('member', 'organization', 'read'),
  ('owner', 'billing', 'manage'),
  ('owner', 'organization', 'manage'), ('owner', 'organization', 'read');

-- A user of the service, whoever signs them in.
create table account (
  id uuid primary key default uuid_v7(),
  -- For display and mails. Not unique: only a verified email is.
  email text check (length(email) between 3 and 254),
  role_id text not null default 'user',
  -- The first session that read the account's data. docs/signing-in.md has the table of first sessions.
  first_session text,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  -- The same as is_email_proved. Only such an account may be linked by its email. Otherwise an attacker could register a victim's email
  -- first, unverified, and wait (GHSA-qq9h-g4jm-xgf3).
  email_trusted boolean not null default false,
  -- For the order of the list.
  email_key text collate "C" not null generated always as (coalesce(lower(email collate "C"), '')) stored,
  is_disabled boolean not null generated always as (disabled_at is not null) stored,
  -- Incremented by each change of the password, the email or a factor, and by a recovery.
  security_epoch int not null default 0,
  email_proved_at timestamptz,
  email_proved_by text check (email_proved_by in ('link', 'invitation', 'issuer', 'operator')),
  is_email_proved boolean not null generated always as (email_proved_at is not null) stored,
  -- The language of mails to this user. Null: the service's language.
  language text check (language in ('de', 'en')),
  -- What other users see. In NFC.
  display_name text check (length(display_name) between 1 and 200 and display_name is nfc normalized and display_name = btrim(display_name)),
  -- The issuer whose token had the name, and when it issued that token: newer tokens change the name. Null: somebody set the name here.
  display_name_issuer text,
  display_name_issued_at timestamptz,
  -- The texts that a search compares, one a line: the name, the email, and the email with its domain in Unicode. Only emails follow a line
  -- break, so that its parts tell how an email starts.
  search_key text collate "C" not null
    generated always as (search_fold(coalesce(display_name, '')) || E'\n' || email_forms(coalesce(lower(email collate "C"), ''))) stored,
  -- The name of the account on authenticators: 32 random bytes, created with the first passkey.
  webauthn_user_id bytea,
  erase_requested_at timestamptz,
  erases_at timestamptz,
  -- For tokens without a session claim: the expiry of the first token. For an imported user who had signed in elsewhere: the time of that
  -- sign-in.
  first_session_until timestamptz,
  constraint account_display_name_issuer_check check (((display_name_issuer is null) = (display_name_issued_at is null)) and (display_name_issuer is null or display_name is not null)),
  constraint account_email_proved_check check (((email_proved_at is null) = (email_proved_by is null)) and (email_proved_at is null or email is not null)),
  constraint account_erasing_check check (((erases_at is null) = (erase_requested_at is null)) and (erases_at is null or disabled_at is not null)),
  constraint account_has_role_for_accounts foreign key (role_id) references role (account_role_id)
);
-- Indexes by email contain the texts of searches: rows of adjacent emails are far apart in the table.
create index account_by_email on account (email_key, id) include (search_key);
create index account_by_parts on account using gin (text_parts(search_key)) with (gin_pending_list_limit='256');
create index account_by_proof on account (is_email_proved, created_at, id);
create index account_by_proof_email on account (is_email_proved, email_key, id) include (search_key);
create index account_by_role on account (role_id, created_at, id);
create index account_by_role_email on account (role_id, email_key, id) include (search_key);
create index account_by_status on account (is_disabled, created_at, id);
create index account_by_status_email on account (is_disabled, email_key, id) include (search_key);
create index account_erasing on account (erases_at) where erases_at is not null;
create index account_page on account (created_at, id);
create index account_trusted_email on account (lower(email)) where email_trusted;
create unique index account_proved_email on account (lower(email)) where email_proved_at is not null;

-- A subject of an issuer, and its account. The same subject at two issuers is two users.
create table identity (
  issuer text not null,
  subject text not null check (length(subject) between 1 and 255),
  account_id uuid not null references account on delete cascade,
  primary key (issuer, subject)
);
create index identity_of on identity (account_id);
create index identity_subject on identity (subject);

-- A removed identity: a token from before must not create the account again. No token is valid for longer than 30 days, so older rows are
-- useless.
create table removed_identity (
  removed_at timestamptz not null,
  -- SHA-256 of issuer and subject.
  hash bytea primary key
);
create index removed_identity_age on removed_identity (removed_at);

-- A deleted account: after a restore, it is deleted again.
create table erasure (
  account_id uuid primary key,
  erased_at timestamptz not null default now()
);

-- The user as whom an administrator currently reads. docs/decisions/callers.md has the reasons.
create table act_as (
  -- One user at a time.
  actor_id uuid primary key references account on delete cascade,
  -- The account whose data are read.
  account_id uuid not null references account on delete cascade,
  -- The session of the actor. Null if the issuer names none.
  session text,
  expires_at timestamptz not null
);
create index act_as_of on act_as (account_id);

-- A verification belongs to one email, so another email is unverified. A writer that sets only email_trusted means the same.
create function keep_email_proof() returns trigger
  language plpgsql set search_path from current as $$
begin
  if tg_op = 'UPDATE' then
    if new.email is distinct from old.email and new.email_proved_at is not distinct from old.email_proved_at then
      new.email_proved_at := null;
      new.email_proved_by := null;
    end if;
  elsif new.email_trusted and new.email_proved_at is null and new.email is not null
    and not exists (select from account a where a.email_proved_at is not null and lower(a.email) = lower(new.email)) then
    new.email_proved_at := now();
    new.email_proved_by := 'issuer';
  end if;
  new.email_trusted := new.email_proved_at is not null;
  return new;
end $$;

-- Enabling an account cancels its deletion.
create function keep_enabled_account() returns trigger
  language plpgsql set search_path from current as $$
begin
  new.erase_requested_at := null;
  new.erases_at := null;
  return new;
end $$;

-- Acting as a user ends for good when either account is disabled or gets another role: enabling it again does not resume it.
create function act_as_end() returns trigger
  language plpgsql set search_path from current as $$
begin
  with ended as (
    delete from act_as where actor_id = new.id or account_id = new.id returning actor_id, account_id, expires_at
  )
  insert into audit_event (action, actor_kind, actor_id, target_kind, target_id)
  select 'act_as.ended', 'account', actor_id, 'account', account_id::text from ended where expires_at > now();
  return null;
end $$;

-- Remembers removed identities.
create function note_removed_identity() returns trigger
  language plpgsql set search_path from current as $$
begin
  insert into removed_identity (hash, removed_at)
  select identity_hash(issuer, subject), clock_timestamp() from gone
  on conflict (hash) do update set removed_at = excluded.removed_at;
  delete from removed_identity where removed_at < now() - interval '31 days';
  return null;
end $$;

-- Whether a user of this issuer signs in to the account. Volatile, so that it sees what others committed while its statement waited for the
-- lock of the account (docs/decisions/verified-emails.md).
create function has_identity_of(wanted_issuer text, account uuid) returns boolean
  language plpgsql volatile set search_path from current as $$
begin
  return exists (select from identity i where i.account_id = account and i.issuer = wanted_issuer);
end $$;

create trigger account_act_as_ended after update of disabled_at, role_id on account
  for each row when ((old.disabled_at is distinct from new.disabled_at) or (old.role_id <> new.role_id)) execute function act_as_end();
create trigger account_email_proof_changed before update of email, email_proved_at on account
  for each row execute function keep_email_proof();
create trigger account_email_proof_made before insert on account
  for each row when (new.email_trusted or (new.email_proved_at is not null)) execute function keep_email_proof();
create trigger account_kept before update of disabled_at on account
  for each row when ((new.disabled_at is null) and (old.erases_at is not null)) execute function keep_enabled_account();
create trigger identity_removed after delete on identity
  referencing old table as gone
  for each statement execute function note_removed_identity();
