-- Up Migration

-- Links that let the owner of an account in again. docs/decisions/recovery.md has the rules.
create table account_link (
  hash       bytea primary key,               -- SHA-256 of the token
  purpose    text not null,
  account_id uuid not null references account on delete cascade,
  email      text,                            -- the address that it is about, where it is not the account's own
  bound_to   bytea not null,                  -- SHA-256 of purpose, password hash, address and security epoch: a change of any ends the link
  created_by uuid,                            -- the account that made it; null for an operator at the machine
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  tries      smallint not null default 0      -- second factors shown with it
);
create index account_link_of on account_link (account_id);
create index account_link_old on account_link (expires_at);

-- Raised with each change of the password, the address or a factor, and by a recovery.
alter table account add column security_epoch int not null default 0;

-- The permissions to make such a link, and one that removes the second factors too.
insert into role_grant (role_id, resource, action)
select id, 'users', action from role, unnest(array['recover', 'reset_factors']) action where id = 'admin'
on conflict do nothing;

insert into schema_compatibility values (74, 66);
