-- Up Migration

-- When it was proved that the owner of an account owns its address, and by what. docs/decisions/proved-addresses.md has the rules.
-- Replaces email_trusted, which the release before still reads and writes.
alter table account
  add column email_proved_at timestamptz,
  add column email_proved_by text,
  add column is_email_proved boolean not null generated always as (email_proved_at is not null) stored,
  add constraint account_email_proved_by_check check (email_proved_by in ('link', 'invitation', 'issuer', 'operator')),
  add constraint account_email_proved_check check (
    (email_proved_at is null) = (email_proved_by is null) and (email_proved_at is null or email is not null));

-- Proved until now: by a trusted issuer, or typed by an operator. Of several accounts with one address none is: nobody knows whose it is.
with provable as (
  select a.id, case when a.email_trusted then 'issuer' else 'operator' end as proved_by,
         count(*) over (partition by lower(a.email)) as accounts
  from account a
  where a.email is not null
    and (a.email_trusted or a.id in (
      select e.target_id::uuid from audit_event e where e.action = 'account.created' and e.target_kind = 'account'))
)
update account a set email_proved_at = a.created_at, email_proved_by = p.proved_by
from provable p
where p.id = a.id and p.accounts = 1;

create unique index account_proved_email on account (lower(email)) where email_proved_at is not null;
create index account_by_proof on account (is_email_proved, created_at, id);
create index account_by_proof_email on account (is_email_proved, email_key, id);

-- The proof is one of this address: another address has none. email_trusted says the same for the release before, and what that
-- release writes there is a proof where no other account has one of the address.
create function keep_email_proof() returns trigger
  language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if new.email is distinct from old.email and new.email_proved_at is not distinct from old.email_proved_at then
      new.email_proved_at := null;
      new.email_proved_by := null;
    end if;
  elsif new.email_trusted and new.email_proved_at is null and new.email is not null
    and not exists (select from account a where a.email_proved_at is not null and lower(a.email) = lower(new.email)) then
    new.email_proved_at := now();
    new.email_proved_by := 'issuer';
  end if;
  new.email_trusted := new.email_proved_at is not null;
  return new;
end $$;
create trigger account_email_proof_made before insert on account
  for each row when (new.email_trusted or new.email_proved_at is not null) execute function keep_email_proof();
create trigger account_email_proof_changed before update of email, email_proved_at on account
  for each row execute function keep_email_proof();

-- Whether the operator hands the token to the owner of the address. Until it expires, an invitation reserves its address.
alter table sign_up_invitation add column proves_email boolean not null default false;
create index sign_up_invitation_reserves on sign_up_invitation (email) where used_at is null;

insert into schema_compatibility values (83, 66);
