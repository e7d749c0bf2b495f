import { newOpaqueToken } from '../../identity/opaque-tokens.ts'
import type { Rows } from '../../platform/database/database.ts'
import { normalizeEmail } from '../../platform/email.ts'
import { takeMailQuota } from '../../platform/mail/mail-quota.ts'
import { networkHashes, type Outbox } from '../../platform/mail/outbox.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import type { Client } from '../sessions/client.ts'
import { linkTo } from './account-links.ts'
import { findAccountWithEmail } from './mailed-addresses.ts'

const linkHours = 2
const lifeSeconds = linkHours * 3_600
/** Maximum number of requests per network and hour. Beyond it nothing is sent, and the response is the same. */
const requestsOfNetworkMax = 10

/**
 * Queues a sign-up request without looking for an account, so that response, timing and writes are the same for every
 * email.
 */
export async function requestSignUp({ database }: BuiltInIssuer, email: string, client: Client): Promise<void> {
  await database.query(requestStatement, [normalizeEmail(email), ...networkHashes(client)])
}

/**
 * Handles all queued requests: mails a link to each new email. If the email is taken, its owner gets a notification. If
 * an invitation reserves it, nothing is sent, because the user must use the invitation.
 */
export async function mailSignUpLinks(issuer: BuiltInIssuer): Promise<void> {
  const { outbox } = issuer
  if (!outbox) return
  const handleNext = () => issuer.database.transaction((rows) => mailNextLink(issuer, outbox, rows))
  while (await handleNext());
}

interface PendingRequest {
  readonly id: string
  readonly address: string
  readonly caller: Buffer | null
  readonly requestsOfNetwork: number
  readonly isReserved: boolean
}

/** Returns false if there is no request that no other node is handling. */
async function mailNextLink({ settings }: BuiltInIssuer, outbox: Outbox, rows: Rows): Promise<boolean> {
  const [request] = await rows.query<PendingRequest>(takeStatement, [])
  if (!request) return false
  const { id, address, isReserved } = request
  const caller = request.caller ?? undefined
  if (isReserved || request.requestsOfNetwork > requestsOfNetworkMax || !(await takeMailQuota(rows, address, id)))
    return true
  const existing = await findAccountWithEmail(rows, address)
  if (existing) {
    const { language } = existing
    await outbox.put(rows, { kind: 'signUpExisting', to: address, language, values: {}, caller, lifeSeconds })
    return true
  }
  const { token, hash } = newOpaqueToken('link')
  await rows.query(createStatement, [hash, address, lifeSeconds])
  const values = { link: linkTo(settings.linkUrl, token, 'sign_up'), hours: String(linkHours) }
  await outbox.put(rows, { kind: 'verify', to: address, language: null, values, caller, lifeSeconds })
  return true
}

const requestStatement = {
  name: 'sign_up_request',
  text: `insert into mail_request (new_email, network, caller, purpose) values ($1, $2, $3, 'sign_up')`,
}

/** Removes the email from the handled request. */
const takeStatement = {
  name: 'sign_up_request_take',
  text: `
with request as (
  select id, new_email, network, created_at from mail_request
  where new_email is not null order by created_at limit 1 for update skip locked
)
update mail_request r set new_email = null
from request
where r.id = request.id
returning request.id, request.new_email as address, r.caller, (
  select count(*)::int from mail_request other
  where other.network = request.network and other.purpose = 'sign_up' and other.created_at > request.created_at - interval '1 hour'
    and other.created_at <= request.created_at) as "requestsOfNetwork",
  exists (select from sign_up_invitation i
          where i.email = request.new_email and i.used_at is null and i.expires_at > now()) as "isReserved"`,
}

/** $1 hash, $2 email, $3 seconds. */
const createStatement = {
  name: 'sign_up_link_create',
  text: `insert into sign_up_link (hash, email, expires_at) values ($1, $2, now() + make_interval(secs => $3))`,
}

/** The email of a sign-up link. `undefined` if it is invalid. Does not consume the link. */
export async function findSignUpLink(rows: Rows, hash: Buffer): Promise<string | undefined> {
  const [row] = await rows.query<{ email: string }>(findStatement, [hash])
  return row?.email
}

/** Consumes the link and deletes all other links to its email. Of several concurrent calls, one returns true. */
export async function consumeSignUpLink(rows: Rows, hash: Buffer): Promise<boolean> {
  const [spent] = await rows.query<{ email: string }>(spendStatement, [hash])
  if (spent) await rows.query(endStatement, [spent.email])
  return spent !== undefined
}

const findStatement = {
  name: 'sign_up_link_find',
  text: `select email from sign_up_link where hash = $1 and expires_at > now()`,
}

const spendStatement = {
  name: 'sign_up_link_spend',
  text: `delete from sign_up_link where hash = $1 and expires_at > now() returning email`,
}

const endStatement = { name: 'sign_up_links_end', text: `delete from sign_up_link where email = $1` }
