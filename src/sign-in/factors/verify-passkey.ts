import { randomBytes } from 'node:crypto'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import { opaqueTokenHash } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type Client, originOf } from '../sessions/client.ts'
import type { FactorName, PasskeyPrompt } from './contract.ts'
import type { AssertionCredential, PasskeyDescriptor, RequestOptions } from './passkey-contract.ts'
import { challengeOf, type VerifiedUse, verifyUse } from './webauthn.ts'

/** A correct assertion that is not consumed yet. */
interface VerifiedPasskey {
  readonly passkey: Passkey
  /** Consumes the assertion. Returns false if it was already consumed. */
  consume(rows: Rows): Promise<boolean>
}

/**
 * Creates the options for a passkey assertion. Lists the account's passkeys if the use names an account. Problem:
 * `passkeys_unavailable`.
 */
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

/**
 * The member `passkey` of a response that asks for one of these factors. Present if one of them is a passkey and
 * passkeys are available.
 */
export async function promptForPasskey(
  issuer: Pick<BuiltInIssuer, 'settings'>,
  rows: Rows,
  factors: readonly FactorName[],
  use: PasskeyUse,
): Promise<{ readonly passkey?: PasskeyPrompt }> {
  if (!issuer.settings.passkeys || !factors.some(({ type }) => type === 'passkey')) return {}
  return { passkey: { options: await createRequestOptions(issuer, rows, use) } }
}

/** Verifies an assertion. Returns `undefined` if it is wrong for any reason: account, challenge, origin or key. */
export async function verifyPasskey(
  issuer: BuiltInIssuer,
  credential: AssertionCredential,
  use: PasskeyUse,
  client: Client,
): Promise<VerifiedPasskey | undefined> {
  const { database, settings, log } = issuer
  const challenge = challengeOf(credential)
  const passkey = await findPasskey(database, credential.id)
  if (!settings.passkeys || challenge === undefined || !passkey || !belongsToAccount(passkey, credential, use))
    return undefined
  if (!(await isPasskeyChallengeOpen(database, challenge, use))) return undefined
  const proved = await verifyUse({ settings: settings.passkeys, challenge, log }, credential, passkey.publicKey)
  if (!proved || !(await isCounterValid(issuer, passkey, proved, client))) return undefined
  return {
    passkey,
    async consume(rows) {
      return (await consumePasskeyChallenge(rows, challenge, use)) && usePasskey(rows, passkey.id, proved)
    },
  }
}

/** If no account was named, the authenticator must name the account of the passkey. */
function belongsToAccount(
  { accountId, userHandle }: Passkey,
  { response }: AssertionCredential,
  use: PasskeyUse,
): boolean {
  if ('accountId' in use && use.accountId !== accountId) return false
  return response.userHandle === undefined ? 'accountId' in use : response.userHandle === userHandle
}

/** A counter that does not increase means that two authenticators have the same key. Synced passkeys do not count. */
async function isCounterValid(
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

/** The purpose of a passkey challenge. A challenge is only valid for its account and session, if it has them. */
export type PasskeyUse =
  | { readonly purpose: 'sign_in' }
  | { readonly purpose: 'second_step' | 'recovery'; readonly accountId: string }
  | { readonly purpose: 'registration' | 'session'; readonly accountId: string; readonly sessionId: string }

/** Enough time to find and unlock the authenticator. */
export const passkeyChallengeSeconds = 300
/** Maximum number of open challenges per account and purpose. Another one replaces the oldest. */
const openChallengesMax = 10

/** Creates a challenge of 256 random bits. The database stores only its hash. */
export async function createPasskeyChallenge(rows: Rows, use: PasskeyUse): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  await rows.query(createStatement, [...valuesOf(challenge, use), passkeyChallengeSeconds])
  return challenge
}

/** Whether the challenge is open for this use. Does not consume it. */
export async function isPasskeyChallengeOpen(rows: Rows, challenge: string, use: PasskeyUse): Promise<boolean> {
  return (await rows.query(findStatement, valuesOf(challenge, use))).length === 1
}

/** Consumes the challenge. Of several concurrent calls, one returns true. */
export async function consumePasskeyChallenge(rows: Rows, challenge: string, use: PasskeyUse): Promise<boolean> {
  return (await rows.query(consumeStatement, valuesOf(challenge, use))).length === 1
}

function valuesOf(challenge: string, use: PasskeyUse): readonly unknown[] {
  const accountId = 'accountId' in use ? use.accountId : null
  const sessionId = 'sessionId' in use ? use.sessionId : null
  return [opaqueTokenHash(challenge), use.purpose, accountId, sessionId]
}

/**
 * $1 hash, $2 purpose, $3 account, $4 session, $5 seconds. Each new challenge deletes two expired ones, so that
 * anonymous challenges do not accumulate.
 */
const createStatement = {
  name: 'webauthn_challenge_create',
  text: `
with surplus as (
  delete from webauthn_challenge where hash in (
    select hash from webauthn_challenge where account_id = $3::uuid and purpose = $2
    order by expires_at desc offset ${openChallengesMax - 1} for update skip locked)
), expired as (
  delete from webauthn_challenge where hash in (
    select hash from webauthn_challenge where expires_at < now() - interval '1 minute'
    order by expires_at limit 2 for update skip locked)
)
insert into webauthn_challenge (hash, purpose, account_id, session_id, expires_at)
values ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
}

/** $1 hash, $2 purpose, $3 account, $4 session. */
const isOfUse = `
  hash = $1 and purpose = $2 and account_id is not distinct from $3::uuid and session_id is not distinct from $4::uuid
  and expires_at > now()`

const findStatement = { name: 'webauthn_challenge_find', text: `select hash from webauthn_challenge where ${isOfUse}` }

const consumeStatement = {
  name: 'webauthn_challenge_consume',
  text: `delete from webauthn_challenge where ${isOfUse} returning hash`,
}

/** A stored passkey. */
interface Passkey {
  readonly id: string
  readonly accountId: string
  /** The credential id, base64url. */
  readonly credentialId: string
  readonly publicKey: Uint8Array<ArrayBuffer>
  readonly signCount: number
  /** The WebAuthn user handle of the account, base64url. */
  readonly userHandle: string
  /** The epoch of the account. */
  readonly securityEpoch: number
}

export async function findPasskey(rows: Rows, credentialId: string): Promise<Passkey | undefined> {
  const [row] = await rows.query<PasskeyRow>(passkeyStatement, [Buffer.from(credentialId, 'base64url')])
  if (!row) return undefined
  return {
    id: row.id,
    accountId: row.account_id,
    credentialId,
    publicKey: Uint8Array.from(row.public_key),
    signCount: Number(row.sign_count),
    userHandle: row.webauthn_user_id.toString('base64url'),
    securityEpoch: row.security_epoch,
  }
}

/** The passkeys of an account as WebAuthn credential descriptors. */
export async function describePasskeys(rows: Rows, accountId: string): Promise<PasskeyDescriptor[]> {
  const found = await rows.query<{ credential_id: Buffer; transports: string[] }>(describeStatement, [accountId])
  return found.map(({ credential_id: id, transports }) => ({
    type: 'public-key',
    id: id.toString('base64url'),
    transports,
  }))
}

/**
 * Records a use. Returns false if the passkey was removed, or a concurrent use had a higher counter. Lock the account
 * first.
 */
async function usePasskey(rows: Rows, passkeyId: string, { signCount, isBackedUp }: VerifiedUse): Promise<boolean> {
  return (await rows.query(useStatement, [passkeyId, signCount, isBackedUp])).length === 1
}

interface PasskeyRow {
  readonly id: string
  readonly account_id: string
  readonly public_key: Buffer
  /** A bigint, which the driver reads as text. */
  readonly sign_count: string
  readonly webauthn_user_id: Buffer
  readonly security_epoch: number
}

const passkeyStatement = {
  name: 'passkey_find',
  text: `
select p.id, p.account_id, p.public_key, p.sign_count, a.webauthn_user_id, a.security_epoch
from passkey p join account a on a.id = p.account_id
where p.credential_id = $1`,
}

const describeStatement = {
  name: 'passkeys_describe',
  text: `select credential_id, transports from passkey where account_id = $1 order by id limit 100`,
}

/** An authenticator without a counter always sends 0. */
const useStatement = {
  name: 'passkey_use',
  text: `
update passkey set sign_count = $2, backed_up = $3, last_used_at = now()
where id = $1 and (sign_count = 0 or sign_count < $2)
returning id`,
}
