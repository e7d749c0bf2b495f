import type { Database, Rows } from '../../platform/database/database.ts'
import { normalizeEmail } from '../../platform/email.ts'
import type { UserCaller } from '../../platform/http/caller.ts'
import type { Language } from '../../platform/mail/kinds.ts'
import { takeMailQuota } from '../../platform/mail/mail-quota.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import { removeFactors, removeFactorsSince } from '../factors/factor-rows.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { expirePassword, removeForeignIdentities, verifyEmail } from '../passwords/password-accounts.ts'
import { refuseMember } from '../passwords/password-rules.ts'
import { emptyAccountBuckets } from '../sessions/account-buckets.ts'
import { type Client, recordOwn } from '../sessions/client.ts'
import { writeInSession } from '../sessions/current-session.ts'
import { endAccess, endAccountLinks } from '../sessions/sessions.ts'
import {
  type AccountLink,
  confirmOtherLink,
  createAccountLink,
  type EmailPurpose,
  emailPurposes,
  endEmailChange,
  linkTo,
  undoPurposes,
  useAccountLink,
} from './account-links.ts'
import { findAccountWithEmail, mailExisting } from './sign-up-links.ts'

const linkHours = 2
const lifeSeconds = linkHours * 3_600
/** Maximum number of requests per account. */
const requestsMax = { inHour: 3, inDay: 10 } as const

/**
 * Mails the links that change the email of an account, or that verify its current one. If the email is taken, its owner
 * gets a notification, and the response and the work are the same. Another request replaces the pending one.
 * Problems: `mail_unconfigured`; those of `readCurrentSession`; `password_missing`; `input_invalid` for the account's
 * own verified email.
 */
export async function requestEmailChange(
  issuer: BuiltInIssuer,
  caller: UserCaller,
  newEmail: string,
  client: Client,
): Promise<void> {
  const { database, outbox } = issuer
  if (!outbox) refuse('mail_unconfigured', { detail: 'An operator can change emails on the command line.' })
  const address = normalizeEmail(newEmail)
  await writeInSession(database, caller, async (rows, { accountId }) => {
    const owner = await readOwner(rows, accountId)
    if (owner.isProved && owner.email === address)
      refuseMember('/newEmail', 'is already the verified email of the account')
    if (owner.hour >= requestsMax.inHour || owner.day >= requestsMax.inDay) return
    await endEmailChange(rows, accountId)
    await recordOwn(rows, { action: 'account.email_requested', accountId, client })
    const [request] = await rows.query<{ id: string }>(countStatement, [accountId])
    if (!request) throw new Error('A request was inserted and not returned.')
    await mailChangeLinks(issuer, rows, { outbox, accountId, address, owner, requestId: request.id })
  })
}

interface Links {
  readonly outbox: Outbox
  readonly accountId: string
  readonly address: string
  readonly owner: Owner
  readonly requestId: string
}

/**
 * Without a second factor, the current email must confirm too: otherwise a stolen session and the password would be
 * enough.
 */
async function mailChangeLinks(
  { settings }: BuiltInIssuer,
  rows: Rows,
  { outbox, accountId, address, owner, requestId }: Links,
): Promise<void> {
  const { email, language, isProved, hasFactor } = owner
  const awaitsOther = isProved && !hasFactor
  const newLink = async (purpose: EmailPurpose) => {
    const made = await createAccountLink(rows, { accountId, purpose, lifeSeconds, address, awaitsOther })
    if (!made) throw new Error('An account was locked and has no password.')
    return { link: linkTo(settings.linkUrl, made.token, purpose), hours: String(linkHours) }
  }
  const values = await newLink('email_change')
  const existing = await findAccountWithEmail(rows, address)
  if (await takeMailQuota(rows, address, requestId)) {
    if (existing && existing.accountId !== accountId)
      await mailExisting(rows, outbox, { to: address, language: existing.language })
    else await outbox.put(rows, { kind: 'emailChange', to: address, language, values, accountId, lifeSeconds })
  }
  if (!awaitsOther) return
  const old = await newLink('email_change_old')
  await outbox.put(rows, { kind: 'emailChangeOld', to: email, language, values: old, accountId, lifeSeconds })
}

interface Owner {
  /** Normalized. */
  readonly email: string
  readonly language: Language | null
  readonly isProved: boolean
  readonly hasFactor: boolean
  readonly hour: number
  readonly day: number
}

async function readOwner(rows: Rows, accountId: string): Promise<Owner> {
  const [owner] = await rows.query<Owner>(ownerStatement, [accountId])
  return (
    owner ?? refuse('password_missing', { detail: 'The account signs in with another issuer. Change its email there.' })
  )
}

const ownerStatement = {
  name: 'email_change_owner',
  text: `
select c.email, a.language, a.is_email_proved as "isProved",
       exists (select from second_factor f where f.account_id = a.id) as "hasFactor",
       count(r.id) filter (where r.created_at > now() - interval '1 hour')::int as hour, count(r.id)::int as day
from account a
join credential c on c.account_id = a.id
left join mail_request r on r.account_id = a.id and r.purpose = 'email_change' and r.created_at > now() - interval '1 day'
where a.id = $1
group by a.id, c.account_id`,
}

const countStatement = {
  name: 'email_change_count',
  text: `insert into mail_request (account_id, purpose) values ($1, 'email_change') returning id`,
}

/** How long the owner of the previous email can restore it. */
const undoDays = 7
const undoSeconds = undoDays * 86_400

/**
 * Consumes one link of an email change. If the other link is still unused, nothing else changes. Problem:
 * `link_invalid` for every reason, also if another account has verified the email in the meantime.
 */
export async function confirmEmailChange(issuer: BuiltInIssuer, token: Secret, client: Client): Promise<void> {
  await useAccountLink(issuer.database, token, emailPurposes, async (rows, link) => {
    if (!link.awaitsOther) return changeAddress(issuer, rows, link, client)
    if (!(await confirmOtherLink(rows, link.accountId))) refuse('link_invalid')
  })
}

async function changeAddress(issuer: BuiltInIssuer, rows: Rows, link: AccountLink, client: Client): Promise<void> {
  const { accountId, address, isProved } = link
  if (address === null) throw new Error('The link of an email change has no email.')
  if (!(await verifyEmail(rows, accountId, address))) refuse('link_invalid')
  await endAccountLinks(rows, accountId)
  await recordOwn(rows, { action: 'account.email_confirmed', accountId, client })
  if (isProved) return mailUndo(issuer, rows, link)
  // Before its first verification, anyone could have added what the account has.
  await removeForeignIdentities(rows, accountId)
  await removeFactors(rows, accountId)
  await endAccess(rows, accountId)
}

async function mailUndo(
  { outbox, settings }: BuiltInIssuer,
  rows: Rows,
  { accountId, email: before, language }: AccountLink,
): Promise<void> {
  const undo = { accountId, purpose: 'email_undo', lifeSeconds: undoSeconds, address: before } as const
  const made = await createAccountLink(rows, undo)
  if (!made || !outbox) return
  const values = { link: linkTo(settings.linkUrl, made.token, 'email_undo'), days: String(undoDays) }
  await outbox.put(rows, { kind: 'emailChanged', to: before, language, values, accountId, lifeSeconds: undoSeconds })
}

/**
 * Restores an earlier email. Ends everything that opens the account, including the password and the factors added
 * since: only a recovery mailed to the restored email opens it again. Problem: `link_invalid`, for every reason.
 */
export async function undoEmailChange(database: Database, token: Secret, client: Client): Promise<void> {
  await useAccountLink(database, token, undoPurposes, async (rows, { accountId, address, createdAt }) => {
    if (address === null || !(await verifyEmail(rows, accountId, address))) refuse('link_invalid')
    await expirePassword(rows, accountId)
    await removeFactorsSince(rows, accountId, createdAt)
    await emptyAccountBuckets(rows, accountId)
    await endAccess(rows, accountId)
    await endAccountLinks(rows, accountId, { alsoUndo: true })
    await recordOwn(rows, { action: 'account.email_undone', accountId, client })
  })
}

/**
 * Cancels a pending email change. Needs no further proof, because the account loses nothing.
 * Problems: those of `readCurrentSession`.
 */
export async function withdrawEmailChange(database: Database, caller: UserCaller, client: Client): Promise<void> {
  await writeInSession(database, caller, async (rows, { accountId }) => {
    if (!(await endEmailChange(rows, accountId))) return
    await recordOwn(rows, { action: 'account.email_withdrawn', accountId, client })
  })
}
