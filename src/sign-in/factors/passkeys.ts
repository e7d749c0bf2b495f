import { randomBytes } from 'node:crypto'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import type { UserCaller } from '../../platform/http/caller.ts'
import { ownAccountNeeds } from '../../platform/http/contract.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { emptyCodeBucket } from '../sessions/account-buckets.ts'
import { type Client, originOf } from '../sessions/client.ts'
import type { SignedIn } from '../sessions/contract.ts'
import { type CurrentSession, readCurrentSession, writeInSession } from '../sessions/current-session.ts'
import { issueSignIn, lockForSignIn, operatorMethod, startSession } from '../sessions/open-session.ts'
import { createChallenge, refuseScheduledDeletion } from './challenges.ts'
import type { ConfirmedFactor } from './contract.ts'
import { factorsMax, listFactorNames, readAllFactors } from './factor-rows.ts'
import { putInEffect } from './manage-factors.ts'
import type { AssertionCredential, CreationOptions, NewCredential, RequestOptions } from './passkey-contract.ts'
import {
  consumePasskeyChallenge,
  createPasskeyChallenge,
  createRequestOptions,
  describePasskeys,
  findPasskey,
  isPasskeyChallengeOpen,
  type PasskeyUse,
  passkeyChallengeSeconds,
  verifyPasskey,
} from './verify-passkey.ts'
import { challengeOf, passkeyAlgorithms, type VerifiedCredential, verifyNewCredential } from './webauthn.ts'

interface NewPasskey {
  readonly friendlyName: string
  readonly credential: NewCredential
  readonly sessionsToEnd: 'all' | 'weak'
}

/**
 * Creates the options for a new passkey: discoverable, with user verification. A session that an operator opened must
 * first verify the password: otherwise a temporary session could create a permanent way to sign in.
 * Problems: those of `readCurrentSession`, `passkeys_unavailable`, `password_missing`, `step_up_required`.
 */
export async function createPasskeyOptions(issuer: BuiltInIssuer, caller: UserCaller): Promise<CreationOptions> {
  const { database, settings } = issuer
  const { rpId } = settings.passkeys ?? refuse('passkeys_unavailable')
  return writeInSession(database, caller, async (rows, current) => {
    const { accountId, amr, email = refuse('password_missing') } = current
    if (amr.every((method) => method === operatorMethod))
      refuse('step_up_required', { accountId, needs: { maxAgeSeconds: ownAccountNeeds.maxAgeSeconds } })
    const id = await userHandleOf(rows, accountId)
    return {
      rp: { id: rpId, name: rpId },
      user: { id, name: email, displayName: email },
      challenge: await createPasskeyChallenge(rows, registrationIn(current)),
      pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout: passkeyChallengeSeconds * 1_000,
      excludeCredentials: await describePasskeys(rows, accountId),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    }
  })
}

/**
 * Registers the passkey that the browser created from the options. It counts for the session. The first factor of an
 * account comes with recovery codes.
 * Problems: those of `readCurrentSession`, `passkeys_unavailable`, `passkey_invalid`, `factor_name_taken`,
 * `factor_limit_reached`.
 */
export async function registerPasskey(
  issuer: BuiltInIssuer,
  caller: UserCaller,
  { friendlyName, credential, sessionsToEnd }: NewPasskey,
  client: Client,
): Promise<ConfirmedFactor> {
  const { database, settings, log } = issuer
  const passkeys = settings.passkeys ?? refuse('passkeys_unavailable')
  const use = registrationIn(await readCurrentSession(database, caller))
  const challenge = challengeOf(credential) ?? refuse('passkey_invalid')
  if (!(await isPasskeyChallengeOpen(database, challenge, use))) refuse('passkey_invalid')
  const verified = await verifyNewCredential({ settings: passkeys, challenge, log }, credential)
  if (!verified) return refuse('passkey_invalid')
  return writeInSession(database, caller, async (rows, current) => {
    const { accountId } = current
    const found = await readAllFactors(rows, accountId)
    // If the name is taken or the limit is reached, the transaction is rolled back and the challenge stays valid.
    if (!(await consumePasskeyChallenge(rows, challenge, use))) refuse('passkey_invalid')
    if (found.some((factor) => factor.friendly_name === friendlyName)) refuse('factor_name_taken')
    if (found.length >= factorsMax)
      refuse('factor_limit_reached', { detail: `An account has at most ${factorsMax} factors.` })
    const id = (await addPasskey(rows, accountId, friendlyName, verified)) ?? refuse('passkey_invalid')
    return putInEffect(
      issuer,
      rows,
      current,
      { id, type: 'passkey', friendlyName, sessionsToEnd, before: found },
      client,
    )
  })
}

/**
 * Creates the options for a passkey in the caller's session. Problems: those of `readCurrentSession`, `factor_missing`
 * without a passkey, `passkeys_unavailable`.
 */
export async function createStepUpOptions(issuer: BuiltInIssuer, caller: UserCaller): Promise<RequestOptions> {
  return writeInSession(issuer.database, caller, async (rows, { accountId, sessionId }) => {
    const factors = await listFactorNames(rows, accountId)
    if (!factors.some(({ type }) => type === 'passkey'))
      refuse('factor_missing', { detail: 'The caller has no passkey.' })
    return createRequestOptions(issuer, rows, { purpose: 'session', accountId, sessionId })
  })
}

function registrationIn({ accountId, sessionId }: CurrentSession): PasskeyUse {
  return { purpose: 'registration', accountId, sessionId }
}

/**
 * Opens a session with two factors: the passkey, and the user verification by its authenticator. Signatures cannot be
 * guessed, so that no bucket is charged.
 * Problems: `passkeys_unavailable`; `passkey_refused`, for every reason; `account_erasing` after a correct passkey.
 */
export async function signInWithPasskey(
  issuer: BuiltInIssuer,
  { credential, deviceToken }: { readonly credential: AssertionCredential; readonly deviceToken?: Secret | undefined },
  client: Client,
): Promise<SignedIn> {
  if (!issuer.settings.passkeys) refuse('passkeys_unavailable')
  const verifiedPasskey = await verifyPasskey(issuer, credential, { purpose: 'sign_in' }, client)
  if (!verifiedPasskey) return refusePasskey(issuer, credential, client)
  const outcome = await issuer.database.transaction(async (rows) => {
    const account = await lockForSignIn(rows, verifiedPasskey.passkey)
    if (!account || !(await verifiedPasskey.consume(rows))) return undefined
    const { accountId, erasesAt } = account
    if (erasesAt !== null) return { erasesAt, keep: await createChallenge(issuer, rows, account, ['pop', 'user']) }
    await emptyCodeBucket(rows, accountId)
    return startSession(issuer, rows, account, { amr: ['pop', 'user', 'mfa'], client, deviceToken })
  })
  if (!outcome) return refusePasskey(issuer, credential, client)
  return 'keep' in outcome ? refuseScheduledDeletion(outcome.keep, outcome.erasesAt) : issueSignIn(issuer, outcome)
}

async function refusePasskey({ database }: BuiltInIssuer, { id }: AssertionCredential, client: Client): Promise<never> {
  const passkey = await findPasskey(database, id)
  const target = passkey && ({ kind: 'account', id: passkey.accountId } as const)
  await recordAudit(database, { action: 'session.refused', target, ...originOf(client), details: { step: 'passkey' } })
  return refuse('passkey_refused')
}

/** Returns the random WebAuthn user handle of the account. Creates it for the first passkey. */
async function userHandleOf(rows: Rows, accountId: string): Promise<string> {
  const [row] = await rows.query<{ handle: Buffer }>(handleStatement, [accountId, randomBytes(32)])
  if (!row) throw new Error('The account of a session is not there.')
  return row.handle.toString('base64url')
}

/** Returns the id of the passkey. `undefined` if the credential is already registered, for any account. */
export async function addPasskey(
  rows: Rows,
  accountId: string,
  friendlyName: string,
  credential: VerifiedCredential,
): Promise<string | undefined> {
  const { id, publicKey, signCount, transports, isBackedUp, aaguid } = credential
  const [row] = await rows.query<{ id: string }>(addStatement, [
    accountId,
    friendlyName,
    Buffer.from(id, 'base64url'),
    publicKey,
    signCount,
    transports,
    isBackedUp,
    aaguid,
  ])
  return row?.id
}

const handleStatement = {
  name: 'passkey_user_handle',
  text: `
update account set webauthn_user_id = coalesce(webauthn_user_id, $2) where id = $1 returning webauthn_user_id as handle`,
}

/**
 * $1 account, $2 name, $3 credential id, $4 public key, $5 counter, $6 transports, $7 whether it is backed up, $8
 * authenticator model.
 */
const addStatement = {
  name: 'passkey_add',
  text: `
insert into passkey (account_id, friendly_name, credential_id, public_key, sign_count, transports, backed_up, aaguid)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (credential_id) do nothing
returning id`,
}
