-- Up Migration

-- Failed authentications at providers, and places that checks of many keys hold for such. Unlogged: a crash of the server loses some
-- minutes of counts, and a count needs no flush to disk.
create unlogged table provider_failure (
  id       bigint generated always as identity primary key,
  provider text not null,
  -- Milliseconds since 1970, by the clock of the node: when it leaves the window, or when a place that was never given back is free.
  ends_at  bigint not null,
  is_held  boolean not null default false
);
create index provider_failure_of_provider on provider_failure (provider, ends_at);

insert into schema_compatibility values (100, 66);
