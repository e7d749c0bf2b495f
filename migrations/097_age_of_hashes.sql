-- Up Migration

-- When the hash was stored, by which muster passwords expire finds old ones; null for those that are older than this column. An older
-- release that replaces a hash leaves it as it is, which ends nothing: what it stores is of today's scheme, and never expired.
alter table credential add column hashed_at timestamptz;
alter table credential alter column hashed_at set default now();

insert into schema_compatibility values (97, 66);
