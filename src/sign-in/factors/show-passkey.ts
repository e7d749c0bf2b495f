import { recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type Client, originOf } from '../sessions/client.ts'
import {
  consumePasskeyChallenge,
  createPasskeyChallenge,
  isPasskeyChallengeOpen,
  type PasskeyUse,
  passkeyChallengeSeconds,
} from './passkey-challenges.ts'
import { describePasskeys, findPasskey, type Passkey, usePasskey } from './passkey-rows.ts'
import type { AssertionCredential, FactorName, PasskeyPrompt, RequestOptions } from './proof-contract.ts'
import { challengeOf, type VerifiedUse, verifyUse } from './webauthn.ts'

/** A passkey whose answer is right and not used up yet. */
export interface ShownPasskey {
  readonly passkey: Passkey
  /** Uses the answer up. Returns false where that was done before. */
  consume(rows: Rows): Promise<boolean>
}

/** What a browser needs to ask for a passkey: of the account, where the use has one. Problem: `passkeys_unavailable`. */
export async function createRequestOptions(
  { settings }: Pick<BuiltInIssuer, 'settings'>,
  rows: Rows,
  use: PasskeyUse,
): Promise<RequestOptions> {
  const { rpId } = settings.passkeys ?? refuse('passkeys_unavailable')
  const challenge = await createPasskeyChallenge(rows, use)
  return {
    rpId,
    challenge,
    timeout: passkeyChallengeSeconds * 1_000,
    userVerification: 'required',
    ...('accountId' in use && { allowCredentials: await describePasskeys(rows, use.accountId) }),
  }
}

/** The member `passkey` of an answer that asks for one of these factors: where one of them is a passkey, and browsers can use it. */
export async function promptForPasskey(
  issuer: Pick<BuiltInIssuer, 'settings'>,
  rows: Rows,
  factors: readonly FactorName[],
  use: PasskeyUse,
): Promise<{ readonly passkey?: PasskeyPrompt }> {
  if (!issuer.settings.passkeys || !factors.some(({ type }) => type === 'passkey')) return {}
  return { passkey: { options: await createRequestOptions(issuer, rows, use) } }
}

/** `undefined` where the answer is wrong, for whichever reason: of another account, challenge, page or key. */
export async function showPasskey(
  issuer: BuiltInIssuer,
  credential: AssertionCredential,
  use: PasskeyUse,
  client: Client,
): Promise<ShownPasskey | undefined> {
  const { database, settings, log } = issuer
  const challenge = challengeOf(credential)
  const passkey = await findPasskey(database, credential.id)
  if (!settings.passkeys || challenge === undefined || !passkey || !isOwner(passkey, credential, use)) return undefined
  if (!(await isPasskeyChallengeOpen(database, challenge, use))) return undefined
  const proved = await verifyUse({ settings: settings.passkeys, challenge, log }, credential, passkey.publicKey)
  if (!proved || !(await hasCounted(issuer, passkey, proved, client))) return undefined
  return {
    passkey,
    async consume(rows) {
      return (await consumePasskeyChallenge(rows, challenge, use)) && usePasskey(rows, passkey.id, proved)
    },
  }
}

/** Where no account was named, the authenticator has to name it, and it is that of the passkey. */
function isOwner({ accountId, userHandle }: Passkey, { response }: AssertionCredential, use: PasskeyUse): boolean {
  if ('accountId' in use && use.accountId !== accountId) return false
  return response.userHandle === undefined ? 'accountId' in use : response.userHandle === userHandle
}

/** A counter that does not grow is one of two authenticators with one key. Those that copy passkeys on purpose do not count. */
async function hasCounted(
  { database }: BuiltInIssuer,
  { id, accountId, signCount }: Passkey,
  proved: VerifiedUse,
  client: Client,
): Promise<boolean> {
  if (signCount === 0 || proved.signCount > signCount) return true
  const target = { kind: 'factor', id } as const
  const details = { accountId }
  await recordAudit(database, { action: 'passkey.counter', target, ...originOf(client), details })
  return false
}
