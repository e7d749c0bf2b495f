-- Up Migration

-- Whether the managers of an organisation may give a role to its members. Otherwise they could grant rights that they do not
-- have: the permissions of a role in an organisation apply everywhere.
alter table role add column for_members boolean not null default false;
update role set for_members = true where id in ('member', 'owner');

-- organization: read (its members), manage (members, roles, invitations), create (a new one).
insert into role_grant (role_id, resource, action) values
  ('member', 'organization', 'read'),
  ('owner', 'organization', 'read'),
  ('owner', 'organization', 'manage'),
  ('admin', 'organization', 'create');

-- The holder of the token becomes a member, once. Removing the inviter removes the invitations.
create table invitation (
  id              uuid primary key default uuid_v7(),
  organization_id uuid not null references organization on delete cascade,
  role_id         text not null references role,
  token_hash      bytea not null unique,   -- SHA-256: the token itself is shown once and not stored
  created_by      uuid references account on delete cascade,   -- null: an operator at the machine
  created_at      timestamptz not null default now(),
  expires_at      timestamptz not null
);
create index invitation_of on invitation (organization_id, id);
