-- Up Migration

-- By how many time steps the clock of an authenticator is ahead of ours (RFC 6238 §6). docs/decisions/built-in-issuer.md has the rules.
alter table factor
  add column drift smallint not null default 0 check (drift between -2 and 2),
  add column missed_step bigint;              -- of a refused code right beside the accepted ones: the next such code is accepted

insert into schema_compatibility values (80, 66);
