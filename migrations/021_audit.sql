-- Up Migration

-- The audit trail. Rows are only added. No foreign keys, because an event remains when its account is removed.
create table audit_event (
  id          uuid primary key default uuid_v7(),
  at          timestamptz not null default now(),
  action      text not null check (action ~ '^[a-z][a-z0-9_]{0,62}[.][a-z][a-z0-9_]{0,62}$'),
  actor_id    uuid,                              -- the account that acted; null for an operator at the machine, or where it is unknown
  target_kind text,
  target_id   text check (length(target_id) between 1 and 400),
  address     text check (length(address) between 1 and 100),
  request_id  text check (length(request_id) between 1 and 100),
  details     jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  check ((target_kind is null) = (target_id is null))
);
create index audit_event_page on audit_event (at, id);
create index audit_event_of_actor on audit_event (actor_id, at, id) where actor_id is not null;
create index audit_event_of_action on audit_event (action, at, id);
