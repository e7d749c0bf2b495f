-- Up Migration

-- A process that may read lists on a replica adds a row here, on the primary, when it starts and every ten minutes. A replica that shows
-- the row has the history of that primary: a copy of the database, and a standby that follows another primary, do not show it.
create table replica_witness (
  id uuid primary key,
  at timestamptz not null default now()
);

insert into schema_compatibility values (140, 66);
