-- Up Migration

-- The last good verification keys of each foreign issuer, public ones only: a node that starts while an issuer is down uses
-- them, for no longer than a running node would.
create table issuer_key_set (
  issuer     text primary key,
  source     text not null,        -- where they came from: a set from another address than the configured one is not used
  keys       jsonb not null check (jsonb_typeof(keys) = 'array'),
  fetched_at timestamptz not null
);
