import type { Stripe } from 'stripe'
import type { Clock } from '../../../platform/clock.ts'
import { refuse } from '../../../platform/problems.ts'
import type { Secret } from '../../../platform/secret.ts'
import { secretsOf } from '../../signed.ts'

/** Stripe's own default. */
const toleranceSeconds = 300

/**
 * Passes if one of the secrets made the signature from exactly this text, at most 300 s ago. `secrets` holds them separated by commas.
 * Problems: `webhook_unsigned`, `webhook_outdated`.
 */
export function checkSignature(
  webhooks: Stripe['webhooks'],
  { text, header, secrets, now }: { text: string; header: unknown; secrets: Secret; now: Clock },
): void {
  const verifies = (secret: string, tolerance: number): boolean => {
    // Whatever it throws, the signature is not proven: an empty `v1=` makes it throw a plain Error.
    try {
      return (
        typeof header === 'string' &&
        webhooks.signature?.verifyHeader(text, header, secret, tolerance, undefined, now()) === true
      )
    } catch {
      return false
    }
  }
  const signer = secretsOf(secrets).find((secret) => verifies(secret, 0)) ?? refuse('webhook_unsigned')
  if (!verifies(signer, toleranceSeconds)) refuse('webhook_outdated')
}
