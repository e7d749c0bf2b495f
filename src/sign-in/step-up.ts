import type { UserCaller } from '../platform/http/caller.ts'
import { refuse } from '../platform/problems.ts'
import type { Secret } from '../platform/secret.ts'
import { consumeInSession, type SecondProof, verifyProofInSession } from './factors/second-proof.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { reauthenticate } from './passwords/reauthenticate.ts'
import { mintAccessToken } from './sessions/access-tokens.ts'
import type { Client } from './sessions/client.ts'
import type { AccessToken } from './sessions/contract.ts'
import { readCurrentSession, writeInSession } from './sessions/current-session.ts'
import { stepUpSession } from './sessions/step-up-session.ts'

/** At least one of the two. */
interface StepUpProofs {
  readonly password?: Secret | undefined
  readonly proof?: SecondProof | undefined
}

/**
 * The user of an open session authenticates again, and the session counts as proved now. The password alone is no proof of an account
 * with a second factor: it would make the level of the session newer than its factor.
 * Problems: those of `readCurrentSession`, `sign_in_wait`, `password_wrong`, `code_refused`, `factor_required`.
 */
export async function stepUp(
  issuer: BuiltInIssuer,
  caller: UserCaller,
  { password, proof }: StepUpProofs,
  client: Client,
): Promise<AccessToken> {
  const { database, keys, settings, now } = issuer
  const checked = await readCurrentSession(database, caller)
  if (!proof && checked.level.has_factor) refuse('factor_required')
  if (password) await reauthenticate(issuer, checked, password, client)
  const shown = proof && (await verifyProofInSession(issuer, checked, proof, client))
  const session = await writeInSession(database, caller, async (rows, current) => {
    if (shown) await consumeInSession(rows, shown)
    return stepUpSession(
      rows,
      current,
      [...(password ? ['pwd' as const] : []), ...(shown ? [shown.method] : [])],
      client,
    )
  })
  return mintAccessToken(keys, settings, session, now)
}
