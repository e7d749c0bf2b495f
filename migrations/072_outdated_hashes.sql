-- Up Migration

-- Hashes of another scheme or cost than today's, which imports bring and sign-ins replace: refusals wait as long as the slowest takes.
create index credential_outdated on credential (account_id) where password not like '$argon2id$v=19$m=19456,t=2,p=1$%';

insert into schema_compatibility values (72, 66);
