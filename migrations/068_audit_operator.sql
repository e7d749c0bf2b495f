-- Up Migration

-- The user of the operating system who ran a command of muster: without an account, an event would not say who acted.
alter table audit_event add column operator text check (length(operator) between 1 and 100);

insert into schema_compatibility values (68, 66);
