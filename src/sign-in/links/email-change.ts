import { lockAccount } from '../../identity/lock-account.ts'
import { opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import type { UserCaller } from '../../platform/http/caller.ts'
import type { Language } from '../../platform/mail/kinds.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import { removeFactors, removeFactorsSince } from '../factors/manage-factors.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { expirePassword } from '../passwords/password-accounts.ts'
import { emptyAccountBuckets } from '../sessions/account-buckets.ts'
import { type Client, originOf } from '../sessions/client.ts'
import { writeInSession } from '../sessions/current-session.ts'
import { removeDevices } from '../sessions/devices.ts'
import { deleteChallenges, endAccountLinks } from '../sessions/security-change.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import {
  type AccountLink,
  awaitNoOther,
  createAccountLink,
  emailPurposes,
  endEmailLinks,
  findAccountLink,
  linkTo,
  spendAccountLink,
  undoPurposes,
} from './account-links.ts'
import { proveAddress, removeForeignIdentities } from './prove-address.ts'

/** So long the owner of the address before can put it back. */
const undoDays = 7
const undoSeconds = undoDays * 86_400

/**
 * Uses one link of a change of address up. Where the link to the other address has still to be used, nothing changes yet. Problem:
 * `link_invalid`, the same for whichever reason, also for an address that another account has proved meanwhile.
 */
export async function confirmEmailChange(issuer: BuiltInIssuer, token: Secret, client: Client): Promise<void> {
  const { database } = issuer
  const hash = opaqueTokenHash(token.open())
  const { accountId } = (await findAccountLink(database, hash, emailPurposes)) ?? refuse('link_invalid')
  await database.transaction(async (rows) => {
    await lockAccount(rows, accountId)
    const link = (await findAccountLink(rows, hash, emailPurposes)) ?? refuse('link_invalid')
    const { awaitsOther } = (await spendAccountLink(rows, hash)) ?? refuse('link_invalid')
    if (!awaitsOther) return changeAddress(issuer, rows, link, client)
    if (!(await awaitNoOther(rows, accountId))) refuse('link_invalid')
  })
}

async function changeAddress(issuer: BuiltInIssuer, rows: Rows, link: AccountLink, client: Client): Promise<void> {
  const { accountId, email: before, address, isProved } = link
  if (address === null) throw new Error('A link of a change has no address.')
  if (!(await proveAddress(rows, accountId, address))) refuse('link_invalid')
  await endAccountLinks(rows, accountId)
  const target = { kind: 'account', id: accountId } as const
  await recordAudit(rows, { action: 'account.email_confirmed', actorId: accountId, target, ...originOf(client) })
  if (!isProved) return endWhatWasUnproved(rows, accountId)
  await mailUndo(issuer, rows, { accountId, before })
}

/** Until the first proof of an address anyone may have added what the account has. */
async function endWhatWasUnproved(rows: Rows, accountId: string): Promise<void> {
  await removeForeignIdentities(rows, accountId)
  await removeFactors(rows, accountId)
  await endSessionsOf(rows, accountId)
  await deleteChallenges(rows, accountId)
  await removeDevices(rows, accountId)
}

async function mailUndo(
  { outbox, settings }: BuiltInIssuer,
  rows: Rows,
  { accountId, before }: { readonly accountId: string; readonly before: string },
): Promise<void> {
  const undo = { accountId, purpose: 'email_undo', lifeSeconds: undoSeconds, address: before } as const
  const made = await createAccountLink(rows, undo)
  if (!made || !outbox) return
  const [owner] = await rows.query<{ language: Language | null }>(languageStatement, [accountId])
  const values = { link: linkTo(settings.linkUrl, made.token, 'email_undo'), days: String(undoDays) }
  const language = owner?.language ?? null
  await outbox.put(rows, { kind: 'emailChanged', to: before, language, values, accountId, lifeSeconds: undoSeconds })
}

const languageStatement = { name: 'account_language', text: 'select language from account where id = $1' }

/**
 * Puts an earlier address of an account back. Everything that opens the account ends, also the password and the factors that were added
 * since: only a recovery, which the owner of the address asks for, lets anyone in again. Problem: `link_invalid`, for whichever reason.
 */
export async function undoEmailChange({ database }: BuiltInIssuer, token: Secret, client: Client): Promise<void> {
  const hash = opaqueTokenHash(token.open())
  const { accountId } = (await findAccountLink(database, hash, undoPurposes)) ?? refuse('link_invalid')
  await database.transaction(async (rows) => {
    await lockAccount(rows, accountId)
    const { address, createdAt } = (await findAccountLink(rows, hash, undoPurposes)) ?? refuse('link_invalid')
    if (address === null || !(await spendAccountLink(rows, hash))) refuse('link_invalid')
    if (!(await proveAddress(rows, accountId, address))) refuse('link_invalid')
    await expirePassword(rows, accountId)
    await removeFactorsSince(rows, accountId, createdAt)
    await emptyAccountBuckets(rows, accountId)
    await endSessionsOf(rows, accountId)
    await deleteChallenges(rows, accountId)
    await removeDevices(rows, accountId)
    await endAccountLinks(rows, accountId, { alsoUndo: true })
    const target = { kind: 'account', id: accountId } as const
    await recordAudit(rows, { action: 'account.email_undone', actorId: accountId, target, ...originOf(client) })
  })
}

/**
 * Ends the links of a change of address that is not confirmed. It asks for no proof: it takes nothing from the account.
 * Problems: those of `readCurrentSession`.
 */
export async function withdrawEmailChange(
  { database }: Pick<BuiltInIssuer, 'database'>,
  caller: UserCaller,
  client: Client,
): Promise<void> {
  await writeInSession(database, caller, async (rows, { accountId }) => {
    if (!(await endEmailLinks(rows, accountId))) return
    const target = { kind: 'account', id: accountId } as const
    await recordAudit(rows, { action: 'account.email_withdrawn', actorId: accountId, target, ...originOf(client) })
  })
}
