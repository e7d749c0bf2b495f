-- Up Migration

-- Administrators read the audit trail over HTTP too.
insert into role_grant (role_id, resource, action)
select 'admin', 'audit', 'read'
where exists (select from role where id = 'admin')
on conflict do nothing;

-- The events of one target, newest first.
create index audit_event_of_target on audit_event (target_id, at, id) where target_id is not null;
drop index audit_event_of_account;

insert into schema_compatibility values (99, 66);
