-- Up Migration

-- Counters of limits over all nodes, in the shape of rate-limiter-flexible. Unlogged: what a crash of the server takes with it is
-- at most a minute of counting, and a count costs no flush to disk.
create unlogged table rate_limit (
  key    varchar(255) primary key,            -- the limit's name and a SHA-256
  points integer not null default 0,
  expire bigint                               -- milliseconds since 1970, by the clock of the node
);
create index rate_limit_expire on rate_limit (expire);
