-- Up Migration

-- fingerprint: the HMAC-SHA-256 key under which all nodes count the checks of a credential, so that no table contains its plain hash.
insert into keyring (name, key) values ('fingerprint', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
