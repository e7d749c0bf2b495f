-- Up Migration

-- Keys that all nodes share and that protect nothing from whoever reads this database.
-- cursor: signs the positions that the listing hands out, so that none but its own come back.
create table keyring (
  name text primary key,
  key  bytea not null
);
insert into keyring (name, key) values ('cursor', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
