import { opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { SignedIn } from '../contract/tokens.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import type { Client } from '../sessions/client.ts'
import { attemptChallenge, consumeChallenge, findChallenge } from './challenges.ts'
import { completeWithProof, type SecondProof, showProof } from './second-proof.ts'

export interface SecondStep {
  readonly challenge: Secret
  readonly proof: SecondProof
  readonly deviceToken?: Secret | undefined
}

/**
 * The second step of a sign-in: opens the session. Problems: `challenge_invalid` where the sign-in has to start again; `sign_in_wait`,
 * which leaves the challenge as it is; `code_refused`.
 */
export async function completeSignIn(
  issuer: BuiltInIssuer,
  { challenge, proof, deviceToken }: SecondStep,
  client: Client,
): Promise<SignedIn> {
  const { database } = issuer
  const hash = opaqueTokenHash(challenge.open())
  const { accountId, methods } = (await findChallenge(database, hash)) ?? refuse('challenge_invalid')
  const shown = await showProof(issuer, {
    accountId,
    proof,
    purpose: 'second_step',
    client,
    onAllowed: async () => {
      if (!(await attemptChallenge(database, hash))) refuse('challenge_invalid')
    },
  })
  return completeWithProof(issuer, shown, {
    proved: { accountId },
    client,
    deviceToken,
    methods,
    // A code that was used before leaves the challenge as it is.
    open: async (rows, account) =>
      account.erasesAt === null && (await consumeChallenge(rows, hash)) ? account : refuse('challenge_invalid'),
    refuseUnproved: async () => refuse('challenge_invalid'),
  })
}
