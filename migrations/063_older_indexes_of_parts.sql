-- Up Migration

-- Nothing asks them any more. The extension pg_trgm stays, where it is: something else may use it by now.
drop index if exists account_by_trigrams, account_by_pairs;
drop function if exists email_pairs(text);
