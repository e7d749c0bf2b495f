-- Up Migration

-- Counters of the limits over all nodes, for rate-limiter-flexible. Unlogged: a crash of the server loses at most a minute of
-- counts, and a count needs no flush to disk.
create unlogged table rate_limit (
  key    varchar(255) primary key,            -- the limit's name and a SHA-256
  points integer not null default 0,
  expire bigint                               -- milliseconds since 1970, by the clock of the node
);
create index rate_limit_expire on rate_limit (expire);
