-- Up Migration

-- What such a role or organisation grants counts only in a session with a second factor. docs/decisions/levels.md has the rules.
alter table role add column requires_mfa boolean not null default false;
alter table organization add column requires_mfa boolean not null default false;

-- The answers of user data depend on both, and on the level of the session, which a step-up raises.
create function tell_organizations_changed() returns trigger
  language plpgsql as $$
declare
  ids uuid[];
begin
  select array_agg(id) into ids
  from (select a.id from before b join after a on a.id = b.id where a.requires_mfa <> b.requires_mfa limit 101) c;
  perform tell_changed('organization', ids);
  return null;
end $$;

create function tell_organizations_deleted() returns trigger
  language plpgsql as $$
declare
  ids uuid[];
begin
  select array_agg(id) into ids from (select id from before limit 101) c;
  perform tell_changed('organization', ids);
  return null;
end $$;

create function tell_sessions_changed() returns trigger
  language plpgsql as $$
declare
  ids uuid[];
begin
  select array_agg(account_id) into ids
  from (select distinct a.account_id
        from before b join after a on a.id = b.id
        where a.ended_at is not null or a.expires_at <= now() or a.aal <> b.aal
        limit 101) c;
  perform tell_changed('account', ids);
  return null;
end $$;

create trigger organization_updated after update on organization
  referencing old table as before new table as after for each statement execute function tell_organizations_changed();
create trigger organization_deleted after delete on organization
  referencing old table as before for each statement execute function tell_organizations_deleted();

drop trigger session_updated on session;
create trigger session_updated after update on session
  referencing old table as before new table as after for each statement execute function tell_sessions_changed();
drop function tell_sessions_ended();

insert into schema_compatibility values (79, 66);
