-- Up Migration

-- Every three adjacent characters of an address, of any kind: 'ada@x' has 'ada', 'da@', 'a@x' and, because a part may be
-- shorter, '@x ' and 'x  ', so that each character begins one. Three passes, because one finds every third only.
create or replace function email_parts(key text) returns tsvector
  language sql immutable strict parallel safe
  return array_to_tsvector(array_remove(string_to_array(
           regexp_replace(key || '  ', '(...)', E'\\1\x1f', 'g') || E'\x1f' ||
           regexp_replace(substr(key, 2) || '  ', '(...)', E'\\1\x1f', 'g') || E'\x1f' ||
           regexp_replace(substr(key, 3) || '  ', '(...)', E'\\1\x1f', 'g'), E'\x1f'), ''));

-- One index finds a part of any length and replaces two: the trigrams of pg_trgm contain letters and digits only, and what they
-- found had to be checked again together with the pairs, which cost more than the search. Parts of one and two characters are
-- beginnings of entries here. The pending list is short: every search has to read all of it.
-- Writers of accounts wait while it is built, readers do not. To avoid that, build it beforehand: see docs/administration.md. Dropping the
-- older ones blocks readers too, for a moment, so it is a migration of its own.
do $$
begin
  if exists (select from pg_index where indexrelid = to_regclass('account_by_email_parts') and not indisvalid) then
    drop index account_by_email_parts; -- left by a `create index concurrently` that failed
  end if;
  set local maintenance_work_mem = '256MB';
  create index if not exists account_by_email_parts on account using gin (email_parts(email_key))
    with (gin_pending_list_limit = 256);
end
$$;
