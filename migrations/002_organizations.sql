-- Up Migration

-- Organizations of users.

-- An organization of users.
create table organization (
  id uuid primary key default uuid_v7(),
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz not null default now(),
  -- The organization's grants count only in a session with a second factor.
  requires_mfa boolean not null default false
);
create index organization_by_creation on organization (created_at, id);
create index organization_by_name on organization (lower(name) collate "C", id);
create index organization_by_parts on organization using gin (text_parts(lower(name))) with (gin_pending_list_limit='256');

-- An account in an organization, with its role there.
create table membership (
  organization_id uuid not null references organization on delete cascade,
  account_id uuid not null references account on delete cascade,
  role_id text not null default 'member',
  joined_at timestamptz not null default now(),
  primary key (organization_id, account_id),
  constraint membership_has_role_for_members foreign key (role_id) references role (member_role_id)
);
create index membership_of on membership (account_id, joined_at, organization_id);

-- An invitation to an organization: the holder of the token becomes a member, once. Removing the inviter removes it.
create table invitation (
  id uuid primary key default uuid_v7(),
  organization_id uuid not null references organization on delete cascade,
  role_id text not null,
  -- SHA-256. The token itself is shown once and not stored.
  token_hash bytea not null unique,
  -- Null: an operator on the server.
  created_by uuid references account on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint invitation_has_role_for_members foreign key (role_id) references role (member_role_id)
);
create index invitation_of on invitation (organization_id, id);

