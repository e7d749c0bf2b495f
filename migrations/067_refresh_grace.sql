-- Up Migration

-- A refresh token's successor is derived from it with the salt of its session, so that the answer that a client lost can be given
-- again. The salt is 366 random bits; without the token, or without the salt, nothing follows from the other.
alter table session add column refresh_salt bytea not null
  default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
-- How often a used token was answered again.
alter table refresh_token add column repeats smallint not null default 0;

-- An older release leaves both columns to their defaults.
insert into schema_compatibility values (67, 66);
