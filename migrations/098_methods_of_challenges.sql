-- Up Migration

-- What a sign-in has proved when it was given the challenge: the session names it (RFC 8176). An older release gives challenges for
-- passwords only, and leaves it to its default.
alter table sign_in_challenge add column methods text[] not null default '{pwd}';

insert into schema_compatibility values (98, 66);
