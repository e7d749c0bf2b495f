/**
 * CTEs for a statement that verifies an email. Every other account with the same unverified email loses the email and
 * its password, and with them all sessions, devices and unfinished sign-ins. It keeps the rest, such as identities of
 * other issuers. `email` is a parameter, `isProved` a condition. The account whose email is verified must not match: it
 * does not exist yet or already has a verified email.
 * Source: docs/decisions/verified-emails.md.
 */
export const displacementCtes = ({ email, isProved }: { readonly email: string; readonly isProved: string }) => `
displaced as (
  update account d set email = null
  where ${isProved} and d.email_proved_at is null and d.id in (
    select b.id from account b where b.email_key = lower(${email}::text collate "C") and b.email_key <> ''
    union all
    select c.account_id from credential c where c.email = lower(${email}::text))
  returning d.id
), displaced_credential as (
  delete from credential c using displaced d where c.account_id = d.id
), displaced_session as (
  update session s set ended_at = now() from displaced d where s.account_id = d.id and s.ended_at is null
), displaced_device as (
  delete from device v using displaced d where v.account_id = d.id
), displaced_challenge as (
  delete from sign_in_challenge h using displaced d where h.account_id = d.id
), displaced_event as (
  insert into audit_event (action, target_kind, target_id) select 'account.displaced', 'account', id::text from displaced
)`
