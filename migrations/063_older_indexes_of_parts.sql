-- Up Migration

-- No query uses them any more. The extension pg_trgm stays: something else may use it.
drop index if exists account_by_trigrams, account_by_pairs;
drop function if exists email_pairs(text);
