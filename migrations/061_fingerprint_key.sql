-- Up Migration

-- fingerprint: under it a credential is counted over all nodes (HMAC-SHA-256), so that no table holds even its plain hash.
insert into keyring (name, key) values ('fingerprint', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
