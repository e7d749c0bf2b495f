-- Up Migration

-- With which older releases a schema works. Nodes of two releases use one database while an update rolls through them. Every later
-- migration adds its row; docs/decisions/migrations.md has the rules.
create table schema_compatibility (
  migration  int primary key,                                     -- the number of its file
  works_with int not null check (works_with <= migration)         -- releases whose newest migration has this number or a higher one
);
insert into schema_compatibility values (66, 66);
