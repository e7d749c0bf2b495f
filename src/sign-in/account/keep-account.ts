import { keepAccount } from '../../identity/erasure.ts'
import { opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import type { Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import { attemptChallenge, consumeChallenge, findChallenge } from '../factors/challenges.ts'
import { listFactorNames } from '../factors/factor-rows.ts'
import { completeWithProof, type SecondProof, showProof } from '../factors/second-proof.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { lockProvedAccount, type OpenAccount } from '../proved-account.ts'
import { type Client, originOf } from '../sessions/client.ts'
import type { SignedIn } from '../sessions/contract.ts'
import { issueSignIn, startSession } from '../sessions/sessions.ts'

export interface KeepRequest {
  readonly challenge: Secret
  /** Needed if the account has a second factor. */
  readonly proof?: SecondProof | undefined
  readonly deviceToken?: Secret | undefined
}

/**
 * The owner of an account that is going to be deleted keeps it, and is signed in. Problems: `challenge_invalid`, also after the time of
 * the deletion; `factor_required`; those of `showProof`.
 */
export async function keepOwnAccount(
  issuer: BuiltInIssuer,
  { challenge, proof, deviceToken }: KeepRequest,
  client: Client,
): Promise<SignedIn> {
  const { database } = issuer
  const hash = opaqueTokenHash(challenge.open())
  const { accountId, methods } = (await findChallenge(database, hash)) ?? refuse('challenge_invalid')
  const refuseChallenge = async () => refuse('challenge_invalid')
  const requireChallenge = async () => {
    if (!(await attemptChallenge(database, hash, { toKeep: true }))) await refuseChallenge()
  }
  const keep = async (rows: Rows): Promise<OpenAccount> => {
    if (!(await consumeChallenge(rows, hash))) refuse('challenge_invalid')
    if (!(await keepAccount(rows, { accountId, origin: originOf(client) }))) refuse('challenge_invalid')
    return { accountId, erasesAt: null }
  }
  if ((await listFactorNames(database, accountId)).length === 0) {
    await requireChallenge()
    const started = await database.transaction(async (rows) => {
      if (!(await lockProvedAccount(rows, { accountId }))) refuse('challenge_invalid')
      return startSession(issuer, rows, await keep(rows), { amr: methods, client, deviceToken })
    })
    return issueSignIn(issuer, started)
  }
  const shown = await showProof(issuer, {
    accountId,
    proof: proof ?? refuse('factor_required'),
    purpose: 'second_step',
    client,
    onAllowed: requireChallenge,
  })
  return completeWithProof(issuer, shown, {
    proved: { accountId },
    methods,
    client,
    deviceToken,
    open: keep,
    refuseUnproved: refuseChallenge,
  })
}
