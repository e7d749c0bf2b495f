-- Up Migration

-- The factors as user data shows them. An operator may replace this view: see docs/directory.md.
create schema directory;
create view directory.factor as
  select id, account_id, friendly_name
  from factor
  where verified_at is not null;
