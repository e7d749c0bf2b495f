import { lockAccount } from '../../identity/lock-account.ts'
import { notify } from '../../identity/notify.ts'
import type { Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import { opaqueTokenHash, type Secret } from '../../platform/secret.ts'
import { listFactorNames, removeFactors } from '../factors/factor-rows.ts'
import { refuseCode, type SecondProof, type VerifiedProof, verifyProof } from '../factors/second-proof.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { hashingLane } from '../passwords/hashing-queue.ts'
import { setPasswordHash, verifyEmailByLink } from '../passwords/password-accounts.ts'
import { requireAcceptablePassword, rulesForAccount } from '../passwords/password-rules.ts'
import { hashPassword } from '../passwords/passwords.ts'
import { emptyAccountBuckets } from '../sessions/account-buckets.ts'
import { type Client, recordOwn, rememberDevice } from '../sessions/client.ts'
import { endAccess, endAccountLinks } from '../sessions/sessions.ts'
import {
  type AccountLink,
  consumeAccountLink,
  countLinkAttempt,
  findAccountLink,
  recoveryPurposes,
} from './account-links.ts'

interface Recovery {
  readonly token: Secret
  /** Without a password, the link only makes the device known. */
  readonly newPassword?: Secret | undefined
  /** Required for a new password if the account has a second factor and the link does not remove it. */
  readonly proof?: SecondProof | undefined
}

/**
 * Consumes a recovery link and returns the token of a known device. Opens no session: the owner signs in with the new
 * password.
 * Problems: `link_invalid`, for every reason; `input_invalid` for an unacceptable password; `factor_required`; those of
 * `verifyProof`. A rejected call keeps the link valid, except after the fifth wrong proof.
 */
export async function completeRecovery(
  issuer: BuiltInIssuer,
  { token, newPassword, proof }: Recovery,
  client: Client,
): Promise<Secret> {
  const { database, breached } = issuer
  const hash = opaqueTokenHash(token.open())
  const link = (await findAccountLink(database, hash, recoveryPurposes)) ?? refuse('link_invalid')
  if (!newPassword) return rememberOnlyDevice(issuer, link, hash, client)
  const rules = await rulesForAccount(database, link.accountId, issuer.settings)
  await requireAcceptablePassword(newPassword, link.email, { rules, breached, pointer: '/newPassword' })
  const needsProof = await needsFactor(database, link)
  if (needsProof && !proof) refuse('factor_required')
  const passwordHash = await issuer.hashing.run(hashingLane(client, { isKnown: true }), () => hashPassword(newPassword))
  const verifiedProof = needsProof && proof ? await verifyLinkProof(issuer, link, { hash, proof, client }) : undefined
  const device = await database.transaction(async (rows) => {
    await lockAccount(rows, link.accountId)
    if (verifiedProof && !(await verifiedProof.consume(rows))) return undefined
    if (!(await consumeAccountLink(rows, hash))) refuse('link_invalid')
    await verifiedProof?.decision.succeeded(rows)
    return replaceCredentials(issuer, rows, { link, passwordHash, client })
  })
  return device ?? refuseCode(issuer, link.accountId, client)
}

/**
 * Whether a new password also needs a second factor. A link alone proves less than the owner's two factors (ASVS
 * 6.4.3).
 */
export async function needsFactor(rows: Rows, link: AccountLink): Promise<boolean> {
  return (
    link.purpose === 'recovery' &&
    !isFirstVerification(link) &&
    (await listFactorNames(rows, link.accountId)).length > 0
  )
}

/**
 * The factors of an account with an unverified email may belong to someone else, who signed up with the owner's email.
 */
function isFirstVerification({ isMailed, isProved }: AccountLink): boolean {
  return isMailed && !isProved
}

async function rememberOnlyDevice(
  { database }: BuiltInIssuer,
  { accountId }: AccountLink,
  hash: Buffer,
  client: Client,
): Promise<Secret> {
  return database.transaction(async (rows) => {
    await lockAccount(rows, accountId)
    if (!(await consumeAccountLink(rows, hash))) refuse('link_invalid')
    await recordOwn(rows, { action: 'recovery.device_known', accountId, client })
    return (await rememberDevice(rows, { accountId, client })).token
  })
}

/** Charges the codes of the account and the link. */
function verifyLinkProof(
  issuer: BuiltInIssuer,
  { accountId }: AccountLink,
  { hash, proof, client }: { readonly hash: Buffer; readonly proof: SecondProof; readonly client: Client },
): Promise<VerifiedProof> {
  return verifyProof(issuer, {
    accountId,
    proof,
    purpose: 'recovery',
    client,
    onAllowed: async () => {
      if (!(await countLinkAttempt(issuer.database, hash))) refuse('link_invalid')
    },
  })
}

/**
 * Sets the new password, and ends everything that could open the account until now. Clears its rate limits and returns
 * a device token.
 */
async function replaceCredentials(
  issuer: BuiltInIssuer,
  rows: Rows,
  {
    link,
    passwordHash,
    client,
  }: { readonly link: AccountLink; readonly passwordHash: string; readonly client: Client },
): Promise<Secret> {
  const { accountId, purpose } = link
  const isFirst = link.isMailed && (await verifyEmailByLink(rows, accountId, link.email))
  const resetsFactors = purpose === 'recovery_reset_factors' || isFirst
  await setPasswordHash(rows, accountId, passwordHash)
  if (resetsFactors) await removeFactors(rows, accountId)
  await emptyAccountBuckets(rows, accountId)
  await endAccess(rows, accountId)
  await endAccountLinks(rows, accountId)
  const details = { resetsFactors }
  await recordOwn(rows, { action: 'recovery.completed', accountId, client, details })
  await notify(issuer, rows, { accountId, kind: 'passwordChanged', values: {} })
  return (await rememberDevice(rows, { accountId, client })).token
}
