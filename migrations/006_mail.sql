-- Up Migration

-- Mails.

-- A queued mail. docs/decisions/mail.md has the rules. The row is deleted when the mail was sent. A failed one loses its content and is
-- kept for a week.
create table mail_outbox (
  id uuid primary key,
  kind text not null,
  account_id uuid references account on delete cascade,
  -- The recipient and the template's values, encrypted.
  sealed bytea,
  tries smallint not null default 0,
  next_at timestamptz not null default now(),
  expires_at timestamptz not null,
  given_up_at timestamptz,
  -- The code of the last error, never an email.
  fault text,
  created_at timestamptz not null default now(),
  -- Who caused it: an account or a network, as SHA-256. Null: the service itself, or an operator.
  caller bytea,
  constraint mail_outbox_check check ((given_up_at is null) = (sealed is not null))
);
create index mail_outbox_caller on mail_outbox (caller) where given_up_at is null;
create index mail_outbox_given_up on mail_outbox (given_up_at) where given_up_at is not null;
create index mail_outbox_next on mail_outbox (next_at) where given_up_at is null;
create index mail_outbox_of on mail_outbox (account_id);

-- A request for a mail, such as a recovery link. It is answered before the account is looked up. After processing, it keeps no email and
-- counts for limits for a day.
create table mail_request (
  id uuid primary key default uuid_v7(),
  -- The recipient, until the request is handled.
  email text,
  network bytea,
  account_id uuid references account on delete cascade,
  created_at timestamptz not null default now(),
  purpose text not null default 'recovery'
    check (purpose in ('recovery', 'sign_up', 'email_change', 'organization_invitation')),
  -- SHA-256 of the recipient's email.
  address_hash bytea,
  -- The widest network of the request, as SHA-256.
  caller bytea
);
create index mail_request_address on mail_request (address_hash, created_at) where address_hash is not null;
create index mail_request_network on mail_request (network, created_at);
create index mail_request_of on mail_request (account_id, created_at);
create index mail_request_old on mail_request (created_at);
create index mail_request_open on mail_request (created_at) where email is not null;

-- How many mails were sent in one hour, over all nodes: for the limit of the service.
create table mail_hour (
  hour timestamptz primary key,
  tried int not null default 0,
  sent int not null default 0
);

-- How many mails one caller caused in one hour.
create table mail_share (
  hour timestamptz not null,
  caller bytea not null,
  tried int not null,
  primary key (hour, caller)
);

