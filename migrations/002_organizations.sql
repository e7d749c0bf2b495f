-- Up Migration

-- Organizations of users.

-- An organization of users.
create table organization (
  id uuid primary key default uuid_v7(),
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz not null default now(),
  -- The organization's grants count only in a session with a second factor.
  requires_mfa boolean not null default false,
  -- The text that a search compares.
  search_key text collate "C" not null generated always as (search_fold(name)) stored
);
create index organization_by_creation on organization (created_at, id);
create index organization_by_name on organization (lower(name) collate "C", id);
create index organization_by_parts on organization using gin (text_parts(search_key)) with (gin_pending_list_limit='256');

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

-- An invitation to an organization, usable once: for the user who has verified an email, or for the holder of a token. Removing the
-- inviter removes it.
create table invitation (
  id uuid primary key default uuid_v7(),
  organization_id uuid not null references organization on delete cascade,
  role_id text not null,
  -- Normalized.
  email text check (length(email) between 3 and 254),
  -- SHA-256. The token itself is shown once and not stored.
  token_hash bytea unique,
  -- Null: an operator on the server.
  created_by uuid references account on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- When the last mail about it was queued.
  mailed_at timestamptz,
  -- The invited user does not want to join. Sending it again reopens it.
  declined_at timestamptz,
  constraint invitation_has_role_for_members foreign key (role_id) references role (member_role_id),
  constraint invitation_check check (num_nonnulls(email, token_hash) = 1 and (email is not null or num_nonnulls(mailed_at, declined_at) = 0))
);
create index invitation_of on invitation (organization_id, id);
create index invitation_old on invitation (expires_at);
create index invitation_to on invitation (email, id) where email is not null;
create unique index invitation_once on invitation (organization_id, email) where email is not null;

