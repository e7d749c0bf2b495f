-- Up Migration

-- How many rows each task has deleted, over all nodes.
alter table upkeep add column deleted bigint not null default 0;

-- Old events are found by these, and so are the refusals of the last minutes that one more is counted with. Refusals are kept for another
-- time than the rest: audit_event_of_action finds the old ones.
create index audit_event_kept on audit_event (at) where action <> 'session.refused';
create index audit_event_refused on audit_event (address, at) where action = 'session.refused';

insert into schema_compatibility values (92, 66);
