-- Up Migration

-- The last valid public keys of each remote issuer. A node that starts while the issuer is down uses them, for as long as a
-- running node would.
create table issuer_key_set (
  issuer     text primary key,
  source     text not null,        -- their address: a set from an address that is no longer configured is not used
  keys       jsonb not null check (jsonb_typeof(keys) = 'array'),
  fetched_at timestamptz not null
);
