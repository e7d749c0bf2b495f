-- Up Migration

-- What is left of the tries to sign in: one GCRA bucket for each address, device, session, second step and network. The key is a
-- SHA-256, so that an address without an account leaves no personal data. docs/decisions/guessing.md has the rules.
create table sign_in_bucket (
  key                bytea primary key,
  full_at            timestamptz not null,     -- when every unit will be back; later than now by a step for each that is missing
  failures           int not null,             -- tries since the last success
  capacity           int not null check (capacity > 0),
  step               interval not null,        -- a unit comes back after this time
  last_network       bytea,                    -- of an address: the network that its last try was charged to,
  last_network_units smallint not null default 0, -- and the units that a success there gives back
  touched_at         timestamptz not null default now()
);
create index sign_in_bucket_old on sign_in_bucket (touched_at);

-- Clients that an account has signed in with. The token proves that the client was seen before, and nothing else.
create table device (
  id           uuid primary key default uuid_v7(),
  account_id   uuid not null references account on delete cascade,
  hash         bytea not null unique,          -- SHA-256 of the token
  label        text check (length(label) between 1 and 200), -- the user agent
  created_at   timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
create index device_of on device (account_id, last_used_at desc);
create index device_old on device (last_used_at);

alter table session add column device_id uuid references device on delete set null;
create index session_device on session (device_id) where device_id is not null;
-- The networks that an account signed in from last.
create index session_opened on session (account_id, created_at desc) where network is not null;

-- The release before uses sign_in_wait while an update rolls. A later migration drops the table.
delete from sign_in_wait;

insert into schema_compatibility values (69, 66);
