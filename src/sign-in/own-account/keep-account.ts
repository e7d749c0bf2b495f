import { keepAccount } from '../../identity/erasure.ts'
import { opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import type { Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { SignedIn } from '../contract/tokens.ts'
import { attemptChallenge, createChallenge, type FirstStep, findChallenge } from '../factors/challenges.ts'
import { listFactorNames } from '../factors/factor-rows.ts'
import { completeWithProof, type SecondProof, showProof } from '../factors/second-proof.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { lockAccount } from '../lock-account.ts'
import type { PasswordAccount } from '../passwords/password-accounts.ts'
import { type Client, originOf } from '../sessions/client.ts'
import { issueSignIn, startSession } from '../sessions/sessions.ts'

/** After the right password. Problem: `account_erasing`, with a challenge that keeps the account. */
export async function refuseErasing(
  issuer: BuiltInIssuer,
  { accountId, erasesAt }: Pick<PasswordAccount, 'accountId' | 'erasesAt'>,
): Promise<void> {
  if (erasesAt) await askToKeep(issuer, { accountId, erasesAt }, ['pwd'])
}

/** After a proof of an account that is to be erased then. Problem: `account_erasing`, as of `refuseErasing`. */
export async function askToKeep(
  issuer: BuiltInIssuer,
  { accountId, erasesAt }: { readonly accountId: string; readonly erasesAt: Date },
  methods: FirstStep,
): Promise<never> {
  const { challenge, factors, passkey } = await createChallenge(
    issuer,
    accountId,
    await listFactorNames(issuer.database, accountId),
    methods,
  )
  return refuse('account_erasing', {
    keep: { challenge, factors, ...(passkey && { passkey }), erasesAt: erasesAt.toISOString() },
  })
}

export interface KeepRequest {
  readonly challenge: Secret
  /** Needed where the account has a second factor. */
  readonly proof?: SecondProof | undefined
  readonly deviceToken?: Secret | undefined
}

/**
 * The owner of an account that is to be erased keeps it, and is signed in. Problems: `challenge_invalid`, also when its time has come;
 * `factor_required`; those of `showProof`.
 */
export async function keepOwnAccount(
  issuer: BuiltInIssuer,
  { challenge, proof, deviceToken }: KeepRequest,
  client: Client,
): Promise<SignedIn> {
  const { database } = issuer
  const hash = opaqueTokenHash(challenge.open())
  const { accountId, methods } = (await findChallenge(database, hash)) ?? refuse('challenge_invalid')
  const requireChallenge = async () => {
    if (!(await attemptChallenge(database, hash, { toKeep: true }))) refuse('challenge_invalid')
  }
  // Every challenge of the account ends with it.
  const keep = async (rows: Rows) => {
    await lockAccount(rows, accountId)
    if (!(await keepAccount(rows, { accountId, origin: originOf(client) }))) refuse('challenge_invalid')
  }
  if ((await listFactorNames(database, accountId)).length === 0) {
    await requireChallenge()
    const started = await database.transaction(async (rows) => {
      await keep(rows)
      return startSession(issuer, rows, { accountId, amr: methods, client, deviceToken })
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
  return completeWithProof(issuer, shown, { accountId, client, deviceToken, methods, alsoConsume: keep })
}
