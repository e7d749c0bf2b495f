-- Up Migration

-- Mails that wait to be sent. docs/decisions/mail.md has the rules. A row is deleted when its mail was sent; one that was given up loses
-- its content and stays for a week, for the operator to see.
create table mail_outbox (
  id          uuid primary key,
  kind        text not null,
  account_id  uuid references account on delete cascade,
  sealed      bytea,                                  -- the recipient and what the template shows, encrypted
  tries       smallint not null default 0,
  next_at     timestamptz not null default now(),
  expires_at  timestamptz not null,
  given_up_at timestamptz,
  fault       text,                                   -- code of the last fault; never an address
  created_at  timestamptz not null default now(),
  check ((given_up_at is null) = (sealed is not null))
);
create index mail_outbox_next on mail_outbox (next_at) where given_up_at is null;
create index mail_outbox_given_up on mail_outbox (given_up_at) where given_up_at is not null;
create index mail_outbox_of on mail_outbox (account_id);

-- Mails in each hour, over all nodes: for the limit of the service, and for the operator.
create table mail_hour (
  hour  timestamptz primary key,
  tried int not null default 0,
  sent  int not null default 0
);

-- Who has asked for a recovery link. The request is answered before anyone looks whether there is such an account. Handled, it keeps
-- no address, and counts for the limits of its network and its account for a day.
create table mail_request (
  id         uuid primary key default uuid_v7(),
  email      text,
  network    bytea,
  account_id uuid references account on delete cascade,
  created_at timestamptz not null default now()
);
create index mail_request_open on mail_request (created_at) where email is not null;
create index mail_request_network on mail_request (network, created_at);
create index mail_request_of on mail_request (account_id, created_at);
create index mail_request_old on mail_request (created_at);

-- The language of the mails that the owner of the account gets; that of the service where it is null.
alter table account add column language text check (language in ('de', 'en'));

insert into schema_compatibility values (84, 66);
