-- Up Migration

-- Whether a trusted issuer or an operator verified the address. Only such an account may be linked by its address: otherwise an
-- attacker registers the victim's address first, unverified, and waits for the victim (GHSA-qq9h-g4jm-xgf3).
alter table account add column email_trusted boolean not null default false;
create index account_trusted_email on account (lower(email)) where email_trusted;

-- Removed identities: a token from before the removal must not create the account again. No token is valid for longer than 30
-- days (the maximum of an issuer entry), so older rows have no use.
create table removed_identity (
  issuer     text not null,
  subject    text not null,
  removed_at timestamptz not null,
  primary key (issuer, subject)
);
create index removed_identity_age on removed_identity (removed_at);

create function note_removed_identity() returns trigger
  language plpgsql as $$
begin
  insert into removed_identity (issuer, subject, removed_at)
  select issuer, subject, clock_timestamp() from gone
  on conflict (issuer, subject) do update set removed_at = excluded.removed_at;
  delete from removed_identity where removed_at < now() - interval '31 days';
  return null;
end $$;
create trigger identity_removed after delete on identity
  referencing old table as gone
  for each statement execute function note_removed_identity();
