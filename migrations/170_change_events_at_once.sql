-- Up Migration

-- The events of a changed account are written from the rows of the statement at once, without a list and a second function between: half the
-- time of before. Of more than 100, one event says that everything changed, as before; the first ones stay beside it.
create or replace function tell_accounts_changed() returns trigger
  language plpgsql as $$
declare
  slot int := change_slot(clock_timestamp());
  events int;
begin
  if tg_argv[0] = 'id' then
    case slot
      when 0 then insert into change_event_0 (kind, id) select 'account', id from changed limit 101;
      when 1 then insert into change_event_1 (kind, id) select 'account', id from changed limit 101;
      else insert into change_event_2 (kind, id) select 'account', id from changed limit 101;
    end case;
  else
    case slot
      when 0 then insert into change_event_0 (kind, id) select distinct 'account', account_id from changed where account_id is not null limit 101;
      when 1 then insert into change_event_1 (kind, id) select distinct 'account', account_id from changed where account_id is not null limit 101;
      else insert into change_event_2 (kind, id) select distinct 'account', account_id from changed where account_id is not null limit 101;
    end case;
  end if;
  get diagnostics events = row_count;
  if events > 100 then
    perform tell_changed('all', array[null::uuid]);
  end if;
  return null;
end $$;

insert into schema_compatibility values (170, 110);
