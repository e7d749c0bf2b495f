import { type ErasureRequestSettings, eraseAccount } from '../../identity/erase-account.ts'
import { keepAccount, requestErasure } from '../../identity/erasure.ts'
import { type Preferences, preferencePairs, setPreferences } from '../../identity/preferences.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import type { ActingCaller, UserCaller } from '../../platform/http/caller.ts'
import { refuse } from '../../platform/problems.ts'
import { opaqueTokenHash } from '../../platform/secret.ts'
import { attemptChallenge, consumeChallenge, findChallenge } from '../factors/challenges.ts'
import { listFactorNames } from '../factors/factor-rows.ts'
import { answerChallenge, type ChallengeAnswer, type SecondProof } from '../factors/second-proof.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type OpenEmailChange, readEmailChange } from '../links/account-links.ts'
import { type Client, originOf } from '../sessions/client.ts'
import type { SignedIn } from '../sessions/contract.ts'
import { readCurrentSession, readOwner, writeInSession } from '../sessions/current-session.ts'
import { type ActiveAccount, issueSignIn, lockForSignIn, startSession } from '../sessions/open-session.ts'

interface OwnAccount extends Preferences {
  readonly email: string | null
  readonly emailProved: boolean
  readonly emailChange?: OpenEmailChange
}

/** Problems: those of `readCurrentSession`, `act_as_ended`. */
export async function readOwnAccount(database: Database, caller: UserCaller | ActingCaller): Promise<OwnAccount> {
  const { accountId } = await readOwner(database, caller)
  const [row] = await database.query<{ readonly account: OwnAccount }>(readStatement, [accountId])
  const emailChange = await readEmailChange(database, accountId)
  if (!row) return refuse(caller.kind === 'acting' ? 'act_as_ended' : 'session_ended') // erased since
  return { ...row.account, ...(emailChange && { emailChange }) }
}

const readStatement = {
  name: 'account_own',
  text: `
select json_build_object('email', a.email, 'emailProved', a.is_email_proved, ${preferencePairs}) as account
from account a where a.id = $1`,
}

/** Changes preferences and returns all of them. Problems: those of `readCurrentSession`. */
export async function changePreferences(
  database: Database,
  caller: UserCaller,
  changes: Partial<Preferences>,
): Promise<Preferences> {
  return writeInSession(
    database,
    caller,
    async (rows, { accountId }) => (await setPreferences(rows, accountId, changes)) ?? refuse('session_ended'),
  )
}

/**
 * Schedules the deletion of the caller's account and returns its time. Without a grace period, deletes the account
 * immediately.
 * Problems: those of `readCurrentSession`, `last_administrator`, `last_owner`, `subscription_active`.
 */
export async function eraseOwnAccount(
  database: Database,
  settings: ErasureRequestSettings,
  caller: UserCaller,
  client: Client,
): Promise<Date> {
  const { accountId } = await readCurrentSession(database, caller)
  const { afterDays, acceptedIssuers, outbox } = settings
  const erasesAt = await database.transaction((rows) =>
    requestErasure(rows, {
      accountId,
      afterDays,
      acceptedIssuers,
      outbox,
      actorId: accountId,
      origin: originOf(client),
      // The second of two concurrent calls has no session any more.
      requireCaller: () => readCurrentSession(rows, caller),
    }),
  )
  if (afterDays === 0) await eraseAccount(database, settings, accountId)
  return erasesAt
}

/**
 * Restores an account that is scheduled for deletion, and signs in. The proof is required if the account has a second
 * factor. Problems: `challenge_invalid`, also once the deletion is due; `factor_required`; those of `verifyProof`.
 */
export async function keepOwnAccount(
  issuer: BuiltInIssuer,
  { proof, ...sent }: Omit<ChallengeAnswer, 'proof'> & { readonly proof?: SecondProof | undefined },
  client: Client,
): Promise<SignedIn> {
  const { database } = issuer
  const hash = opaqueTokenHash(sent.challenge.open())
  const { accountId, methods } = (await findChallenge(database, hash)) ?? refuse('challenge_invalid')
  const keep = async (rows: Rows): Promise<ActiveAccount> => {
    if (!(await keepAccount(rows, { accountId, origin: originOf(client) }))) refuse('challenge_invalid')
    return { accountId, erasesAt: null }
  }
  if ((await listFactorNames(database, accountId)).length > 0)
    return answerChallenge(issuer, { ...sent, proof: proof ?? refuse('factor_required') }, client, {
      toKeep: true,
      open: keep,
    })
  if (!(await attemptChallenge(database, hash, { toKeep: true }))) refuse('challenge_invalid')
  const started = await database.transaction(async (rows) => {
    if (!(await lockForSignIn(rows, { accountId }))) refuse('challenge_invalid')
    if (!(await consumeChallenge(rows, hash))) refuse('challenge_invalid')
    return startSession(issuer, rows, await keep(rows), { amr: methods, client, deviceToken: sent.deviceToken })
  })
  return issueSignIn(issuer, started)
}
