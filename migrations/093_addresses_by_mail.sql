-- Up Migration

-- Addresses that are proved by mail. docs/decisions/proved-addresses.md has the rules.

-- Without a second factor, a change of address needs the link to the old address and the one to the new: whether the other is still to
-- be used. The release before takes no link of these purposes for one of its own, because what they are bound to includes the address.
alter table account_link add column awaits_other boolean not null default false;

-- Who wants to sign up, and mails to an address that is not proved yet: for the limits of the network and the address. The release before
-- handles requests with an email as those for a recovery link, so that these have another column.
alter table mail_request
  add column purpose text check (purpose in ('sign_up', 'email_change')),  -- null for a recovery link
  add column new_email text,
  add column address_hash bytea;                                           -- SHA-256 of the address that was mailed to
create index mail_request_new on mail_request (created_at) where new_email is not null;
create index mail_request_address on mail_request (address_hash, created_at) where address_hash is not null;

-- Links with which the owner of an address makes an account for it. Before one is used, there is no account.
create table sign_up_link (
  hash       bytea primary key,               -- SHA-256 of the token
  email      text not null,                   -- normalised by the service
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sign_up_link_old on sign_up_link (expires_at);
create index sign_up_link_of on sign_up_link (email);

insert into schema_compatibility values (93, 66);
