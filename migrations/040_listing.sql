-- Up Migration

-- Columns for the sorts and filters of the user list, so that each of them is one index.
-- email_key: the address in lower case, ASCII only and in the order of bytes, the same on every server. Accounts without an
-- address have '' and come first: with a key that is never null, a row comparison can start an index scan at any position.
alter table account
  add column email_key text collate "C" not null generated always as (coalesce(lower(email collate "C"), '')) stored,
  add column is_disabled boolean not null generated always as (disabled_at is not null) stored;

create index account_by_email on account (email_key, id);
create index account_by_role on account (role_id, created_at, id);
create index account_by_role_email on account (role_id, email_key, id);
create index account_by_status on account (is_disabled, created_at, id);
create index account_by_status_email on account (is_disabled, email_key, id);

-- Search by a part of an address, by trigrams, where the extension is available. The owner of a database may create it.
-- Without it the index below serves longer parts too, a little slower.
do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_trgm') then
    create extension if not exists pg_trgm;
    -- A short pending list: bulk loading gains from it, and every search has to read all of it.
    create index account_by_trigrams on account using gin (email_key gin_trgm_ops) with (gin_pending_list_limit = 256);
  end if;
exception
  when insufficient_privilege or feature_not_supported or undefined_object then
    raise notice 'pg_trgm cannot be created here: parts of addresses are found by pairs of characters instead';
end
$$;

-- Every pair of adjacent characters and every single one. Two passes, because one finds every second pair only.
create function email_pairs(key text) returns text[]
  language sql immutable strict parallel safe
  return string_to_array(
           regexp_replace(key, '(..)', E'\\1\x1f', 'g') || E'\x1f' ||
           regexp_replace(substr(key, 2), '(..)', E'\\1\x1f', 'g'), E'\x1f')
         || string_to_array(key, null);

-- Short parts, which have no trigram.
create index account_by_pairs on account using gin (email_pairs(email_key)) with (gin_pending_list_limit = 256);

-- One quoted field of CSV (RFC 4180). A value that a spreadsheet could interpret as a formula gets an apostrophe (ASVS 1.2.10).
create function csv_field(value text) returns text
  language sql immutable parallel safe
  return '"' || replace(case when value ~ '^[=+@\t\r\n＝＋－＠-]' then '''' || value else coalesce(value, '') end,
                        '"', '""') || '"';
