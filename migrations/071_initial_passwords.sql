-- Up Migration

-- A password that Muster generated, until its owner replaces it: good until this moment, and only for replacing it.
alter table credential add column initial_until timestamptz;
-- A session that such a password opened.
alter table session add column must_change_password boolean not null default false;

-- An older release leaves both columns to their defaults. A password that it changes counts as initial until it is changed once more.
insert into schema_compatibility values (71, 66);
