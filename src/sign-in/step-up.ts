import type { UserCaller } from '../platform/http/caller.ts'
import { refuse } from '../platform/problems.ts'
import type { Secret } from '../platform/secret.ts'
import { consumeInSession, type SecondProof, verifyInSession } from './factors/second-proof.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { mintAccessToken } from './sessions/access-tokens.ts'
import type { Client } from './sessions/client.ts'
import type { AccessToken } from './sessions/contract.ts'
import { readCurrentSession, writeInSession } from './sessions/current-session.ts'
import { stepUpSession } from './sessions/step-up-session.ts'

/** At least one of the two is present. */
interface StepUpProofs {
  readonly password?: Secret | undefined
  readonly proof?: SecondProof | undefined
}

/**
 * Authenticates the user of an open session again. If the account has a second factor, the password alone is not
 * enough: it would renew the session's level without the factor.
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
  const verifiedProof = await verifyInSession(issuer, checked, { password, proof }, client)
  const session = await writeInSession(database, caller, async (rows, current) => {
    if (verifiedProof) await consumeInSession(rows, verifiedProof)
    return stepUpSession(
      rows,
      current,
      [...(password ? ['pwd' as const] : []), ...(verifiedProof ? [verifiedProof.method] : [])],
      client,
    )
  })
  return mintAccessToken(keys, settings, session, now)
}
