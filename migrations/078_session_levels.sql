-- Up Migration

-- When the user of a session last authenticated, and how strongly: 2 with a second factor. docs/decisions/levels.md has the rules.
-- The level follows from the methods, so that the two cannot disagree, also where an older release opens the session.
alter table session
  add column proved_at timestamptz,
  add column aal smallint not null generated always as (case when 'mfa' = any (amr) then 2 else 1 end) stored;
update session set proved_at = created_at;
alter table session
  alter column proved_at set default now(),
  alter column proved_at set not null;

insert into schema_compatibility values (78, 66);
