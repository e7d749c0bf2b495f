-- Up Migration

-- Random bits of each recovery code. Codes of an older release have 79: it leaves the column to its default.
alter table recovery_code add column bits smallint not null default 79;

insert into schema_compatibility values (70, 66);
