import { lockAccount } from '../../identity/lock-account.ts'
import type { Rows } from '../../platform/database/database.ts'
import type { Language } from '../../platform/mail/kinds.ts'
import { type NewMail, networkHashes, type Outbox } from '../../platform/mail/outbox.ts'
import { refuse } from '../../platform/problems.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { normalizeEmail } from '../passwords/password-accounts.ts'
import type { Client } from '../sessions/client.ts'
import { createRecoveryLink, type NewRecoveryLink } from './account-links.ts'

/** A link that is mailed waits in a mailbox that others may read too. */
const mailedSeconds = 1_800

/** Requests of one network in an hour, and mails to one account. Beyond them nothing is sent, and the answer is the same. */
const limits = { requestsOfNetwork: 10, mailsInHour: 3, mailsInDay: 10 } as const

/**
 * Takes a request for a link. It looks at no account: the answer, its time and what is written are the same for every address.
 * Problem: `mail_unconfigured`.
 */
export async function requestRecovery(
  { database, outbox }: BuiltInIssuer,
  email: string,
  client: Client,
): Promise<void> {
  if (!outbox) refuse('mail_unconfigured', { detail: 'Ask an administrator for a link.' })
  await database.query(requestStatement, [normalizeEmail(email), ...networkHashes(client)])
}

/** Puts a mail in the outbox for each request whose address has an account here, and ends when no request is left. */
export async function mailRecoveryLinks(issuer: BuiltInIssuer): Promise<void> {
  const { outbox } = issuer
  if (!outbox) return
  const handleNext = () => issuer.database.transaction((rows) => mailNextLink(issuer, outbox, rows))
  while (await handleNext());
}

interface MailedLink extends NewRecoveryLink, Pick<NewMail<'recovery'>, 'to' | 'language' | 'caller'> {}

/** Makes a link and puts it in the outbox. To be called in a transaction. Problem: `password_missing`. */
export async function mailRecoveryLink(
  { settings }: Pick<BuiltInIssuer, 'settings'>,
  rows: Rows,
  outbox: Outbox,
  { to, language, caller, ...wanted }: MailedLink,
): Promise<void> {
  const life = { lifeSeconds: mailedSeconds, mailedTo: to }
  const { link } = await createRecoveryLink(rows, settings.linkUrl, { ...wanted, ...life })
  const values = { link, minutes: String(mailedSeconds / 60) }
  const { accountId } = wanted
  const mail = { kind: 'recovery', to, language, values, caller, accountId, lifeSeconds: mailedSeconds } as const
  await outbox.put(rows, mail)
}

interface PendingRequest {
  readonly id: string
  readonly email: string
  readonly caller: Buffer | null
  readonly requestsOfNetwork: number
}

/** Returns false where there was none that no other node is handling. */
async function mailNextLink(issuer: BuiltInIssuer, outbox: Outbox, rows: Rows): Promise<boolean> {
  const [asked] = await rows.query<PendingRequest>(takeStatement, [])
  if (!asked) return false
  if (asked.requestsOfNetwork > limits.requestsOfNetwork) return true
  const [owner] = await rows.query<Owner>(ownerStatement, [asked.email])
  if (!owner) return true
  const { accountId, language } = owner
  await lockAccount(rows, accountId)
  const [mails] = await rows.query<Mails>(mailsStatement, [accountId])
  if (!mails || mails.hour >= limits.mailsInHour || mails.day >= limits.mailsInDay) return true
  await rows.query(countStatement, [asked.id, accountId])
  const wanted = { accountId, resetsFactors: false, to: asked.email, language, caller: asked.caller ?? undefined }
  await mailRecoveryLink(issuer, rows, outbox, wanted)
  return true
}

interface Owner {
  readonly accountId: string
  readonly language: Language | null
}

interface Mails {
  readonly hour: number
  readonly day: number
}

const requestStatement = {
  name: 'recovery_request',
  text: `insert into mail_request (email, network, caller) values ($1, $2, $3)`,
}

/** What was handled keeps no address. */
const takeStatement = {
  name: 'recovery_request_take',
  text: `
with asked as (
  select id, email, network, created_at from mail_request
  where email is not null order by created_at limit 1 for update skip locked
)
update mail_request r set email = null
from asked
where r.id = asked.id
returning asked.id, asked.email, r.caller, (
  select count(*)::int from mail_request other
  where other.network = asked.network and other.purpose is null and other.created_at > asked.created_at - interval '1 hour'
    and other.created_at <= asked.created_at) as "requestsOfNetwork"`,
}

const ownerStatement = {
  name: 'recovery_request_owner',
  text: `
select a.id as "accountId", a.language
from credential c join account a on a.id = c.account_id
where c.email = $1 and a.disabled_at is null`,
}

const mailsStatement = {
  name: 'recovery_request_mails',
  text: `
select count(*) filter (where created_at > now() - interval '1 hour')::int as hour, count(*)::int as day
from mail_request where account_id = $1 and purpose is null and created_at > now() - interval '1 day'`,
}

const countStatement = {
  name: 'recovery_request_count',
  text: `update mail_request set account_id = $2 where id = $1`,
}
