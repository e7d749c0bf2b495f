-- Up Migration

-- Administrators read the organisations, the roles and the plans over HTTP too.
insert into role_grant (role_id, resource, action)
select 'admin', resource, 'list'
from unnest(array['organizations', 'roles', 'plans']) as resource
where exists (select from role where id = 'admin')
on conflict do nothing;

-- The orders of the list, and a part of a name. `email_parts` takes any text.
create index organization_by_creation on organization (created_at, id);
create index organization_by_name on organization (lower(name) collate "C", id);
create index organization_by_parts on organization using gin (email_parts(lower(name))) with (gin_pending_list_limit = 256);

insert into schema_compatibility values (101, 66);
