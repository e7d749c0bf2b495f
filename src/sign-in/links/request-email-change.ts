import { recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import type { UserCaller } from '../../platform/http/caller.ts'
import type { Language } from '../../platform/mail/kinds.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'
import { refuse } from '../../platform/problems.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type Client, originOf } from '../sessions/client.ts'
import { writeInSession } from '../sessions/current-session.ts'
import { createAccountLink, type EmailPurpose, endEmailLinks, linkTo } from './account-links.ts'
import { findBearer, mailableAddress, mayMailTo } from './mailed-addresses.ts'

const linkHours = 2
const lifeSeconds = linkHours * 3_600
/** Changes that one account may ask for in an hour and in a day. */
const requestsMax = { inHour: 3, inDay: 10 } as const

/**
 * Mails the links with which the owner of an account changes its address, or proves the one that it has. Of a taken address its owner
 * gets a mail, and the answer and the work are the same. A further request takes the place of the one before.
 * Problems: `mail_unconfigured`; those of `readCurrentSession`; `password_missing`; `input_invalid` for the address that is proved already.
 */
export async function requestEmailChange(
  issuer: BuiltInIssuer,
  caller: UserCaller,
  newEmail: string,
  client: Client,
): Promise<void> {
  const { database, outbox } = issuer
  if (!outbox) refuse('mail_unconfigured', { detail: 'An operator changes addresses on the command line.' })
  const address = mailableAddress(newEmail, '/newEmail')
  await writeInSession(database, caller, async (rows, { accountId }) => {
    const owner = await readOwner(rows, accountId)
    if (owner.isProved && owner.email === address)
      refuse('input_invalid', {
        errors: [{ pointer: '/newEmail', detail: 'is the proved address of the account' }],
        detail: 'See errors for each fault of the input.',
      })
    if (owner.hour >= requestsMax.inHour || owner.day >= requestsMax.inDay) return
    await endEmailLinks(rows, accountId)
    const target = { kind: 'account', id: accountId } as const
    await recordAudit(rows, { action: 'account.email_requested', actorId: accountId, target, ...originOf(client) })
    const [request] = await rows.query<{ id: string }>(countStatement, [accountId])
    if (!request) throw new Error('A request was inserted and not returned.')
    await mailLinks(issuer, rows, { outbox, accountId, address, owner, requestId: request.id })
  })
}

interface Links {
  readonly outbox: Outbox
  readonly accountId: string
  readonly address: string
  readonly owner: Owner
  readonly requestId: string
}

/** Without a second factor the present address has to agree: a stolen session and a password would be enough otherwise. */
async function mailLinks(
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
  const bearer = await findBearer(rows, address)
  if (await mayMailTo(rows, address, requestId)) {
    if (bearer && bearer.accountId !== accountId)
      await outbox.put(rows, {
        kind: 'signUpExisting',
        to: address,
        language: bearer.language,
        values: {},
        lifeSeconds,
      })
    else await outbox.put(rows, { kind: 'emailChange', to: address, language, values, accountId, lifeSeconds })
  }
  if (!awaitsOther) return
  const old = await newLink('email_change_old')
  await outbox.put(rows, { kind: 'emailChangeOld', to: email, language, values: old, accountId, lifeSeconds })
}

interface Owner {
  /** Normalised. */
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
    owner ??
    refuse('password_missing', { detail: 'The account signs in with another issuer: change its address there.' })
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
