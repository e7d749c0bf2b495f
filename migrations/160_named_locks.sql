-- Up Migration

-- Locks are rows and no advisory locks: some databases that speak the language of PostgreSQL have none of those, and a pooler in
-- transaction mode keeps none of a session. docs/decisions/locks.md has the rules.

-- A transaction locks a name by its row. The migrator locks by it too, and has made the table. Unlogged: after a crash nothing is locked,
-- and a row that is missing is made again.
create unlogged table if not exists named_lock (name text primary key);

-- The transaction of a file ends with its row here: no file runs twice, not even where the lock is lost.
create unique index muster_migration_name on muster_migration (name);

-- What one node of all does for a long time. The transaction that holds the name of the same lock has this number, and runs as long as the work.
create unlogged table node_task (
  name text primary key,
  xid  xid8 not null
);

-- Releases before this migration take advisory locks. While one of them may run beside this one, both are taken: the migration that leaves
-- this function out comes with a release that works with none of them.
create function lock_former(keys bigint[], may_wait boolean) returns boolean
  language plpgsql as $$
begin
  if keys is null
     or not coalesce(has_function_privilege(to_regprocedure('pg_catalog.pg_try_advisory_xact_lock(bigint)'), 'execute'), false) then
    return true;
  end if;
  if not may_wait then
    return pg_try_advisory_xact_lock(keys[1]);
  end if;
  if cardinality(keys) = 1 then
    perform pg_advisory_xact_lock(keys[1]);
  else
    perform pg_advisory_xact_lock(keys[1]::int, keys[2]::int);
  end if;
  return true;
end $$;

-- Waits until no other transaction holds the name, which this one then holds until it ends. `former` is the key of the advisory lock before.
create function lock_name(wanted text, former bigint[]) returns void
  language plpgsql as $$
begin
  perform lock_former(former, true);
  perform from named_lock where name = wanted for update;
  if not found then
    insert into named_lock values (wanted) on conflict do nothing;
    perform from named_lock where name = wanted for update;
  end if;
end $$;

-- Null where another transaction holds the name, otherwise the number of this one. The row must exist: to make it would wait for that transaction.
create function try_lock_name(wanted text, former bigint[]) returns xid8
  language plpgsql as $$
begin
  perform from named_lock where name = wanted for update skip locked;
  if not found or not lock_former(former, false) then
    return null;
  end if;
  return pg_current_xact_id();
end $$;

insert into schema_compatibility values (160, 66);
