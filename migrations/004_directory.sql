-- Up Migration

-- All that the read of user data knows about factors. An operator may put another view in its place: see docs/directory.md.
create schema directory;
create view directory.factor as
  select id, account_id, friendly_name
  from factor
  where verified_at is not null;
