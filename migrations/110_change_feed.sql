-- Up Migration

-- Changes are rows that each node reads, and no notifications any more: commits that notify take a lock of the whole server and go one
-- after the other. docs/decisions/change-feed.md has the rules.

-- Which of the three tables of events takes what happens at that time: each has ten minutes in turn.
create function change_slot(at timestamptz) returns int
  language sql stable return floor(date_part('epoch', at) / 600)::bigint % 3;

-- What cached responses depend on has changed. Kinds:
--   account        invalidates the responses of this account
--   organization   invalidates the responses of callers whose current organisation this is
--   all            invalidates everything (a role, a plan or a price changed, or too many rows at once)
--   directory      the view of second factors reads other tables
-- Unlogged: what a crash loses, readers notice by `change_feed`. No partitions and no checks, which would double the time of a row: only
-- `tell_changed` writes here.
create unlogged table change_event_0 (
  -- By it readers find what became visible since they last looked, in whatever order transactions commit.
  xid  xid8 not null default pg_current_xact_id(),
  kind text not null,
  id   uuid
);
create index change_event_0_by_transaction on change_event_0 (xid);
create unlogged table change_event_1 (like change_event_0 including all);
create unlogged table change_event_2 (like change_event_0 including all);

create view change_event as
  select xid, kind, id from change_event_0
  union all
  select xid, kind, id from change_event_1
  union all
  select xid, kind, id from change_event_2;

-- One row, which the first reader makes: a crash, the promotion of a standby and a restored backup leave none.
create unlogged table change_feed (
  is_only      boolean primary key default true check (is_only),
  epoch        uuid not null default gen_random_uuid(),
  -- How often old events were removed, and the newest transaction of them.
  truncations  bigint not null default 0,
  truncated_to xid8 not null default '0'
);

create or replace function tell_changed(kind text, ids uuid[]) returns void
  language plpgsql as $$
begin
  if cardinality(ids) > 100 then
    kind := 'all';
    ids := array[null];
  end if;
  case change_slot(clock_timestamp())
    when 0 then insert into change_event_0 (kind, id) select tell_changed.kind, id from unnest(ids) id;
    when 1 then insert into change_event_1 (kind, id) select tell_changed.kind, id from unnest(ids) id;
    else insert into change_event_2 (kind, id) select tell_changed.kind, id from unnest(ids) id;
  end case;
end $$;

create or replace function tell_all_changed() returns trigger
  language plpgsql as $$
begin
  perform tell_changed('all', array[null::uuid]);
  return null;
end $$;

-- As before, without a statement that is planned anew for each change.
create or replace function tell_accounts_changed() returns trigger
  language plpgsql as $$
declare
  ids uuid[];
begin
  if tg_argv[0] = 'id' then
    ids := array(select distinct id from changed limit 101);
  else
    ids := array(select distinct account_id from changed where account_id is not null limit 101);
  end if;
  perform tell_changed('account', ids);
  return null;
end $$;

-- Removes the events of ten minutes at once, when their table has its next turn; answers whether it removed any. A transaction that has
-- not ended keeps the table as it is. A reader that has not seen what is removed begins anew, so no clock decides what is lost.
create function truncate_old_changes() returns boolean
  language plpgsql set lock_timeout = '100ms' as $$
declare
  events regclass := format('change_event_%s', change_slot(clock_timestamp() + interval '10 minutes'));
  newest xid8;
begin
  if pg_relation_size(events) = 0 then
    return false;
  end if;
  execute format('lock table %s in access exclusive mode', events);
  execute format('select xid from %s order by xid desc limit 1', events) into newest;
  execute format('truncate %s', events);
  insert into change_feed as feed (truncations, truncated_to) values (1, coalesce(newest, '0'))
  on conflict (is_only) do update set
    truncations = feed.truncations + 1,
    truncated_to = case when excluded.truncated_to > feed.truncated_to then excluded.truncated_to else feed.truncated_to end;
  return true;
exception when lock_not_available then
  return false;
end $$;

insert into schema_compatibility values (110, 110);
