-- Up Migration

-- Keys that all nodes share. They do not protect against a reader of this database.
-- cursor: signs the cursors of lists, so that clients cannot forge them.
create table keyring (
  name text primary key,
  key  bytea not null
);
insert into keyring (name, key) values ('cursor', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
