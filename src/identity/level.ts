import type { Aal } from '../platform/http/caller.ts'
import type { Needs } from '../platform/http/contract.ts'
import { refuse } from '../platform/problems.ts'

/** The claim `acr` for each level. */
export const acrOf: Readonly<Record<Aal, string>> = { 1: 'urn:muster:aal1', 2: 'urn:muster:aal2' }

/** Strength and age of the caller's authentication. */
export interface Level {
  readonly aal: Aal
  /** Seconds since the user authenticated. Null if another issuer does not state the time. */
  readonly age_seconds: number | null
  /** Whether the account has a verified factor of the built-in issuer. */
  readonly has_factor: boolean
}

/**
 * Checks that a session is strong and recent enough. An unknown age passes: users of an issuer that does not state it
 * could not step up and would be locked out.
 * Problem: `step_up_required`.
 */
export function requireLevel(needs: Needs, level: Level, accountId: string): void {
  if (meetsLevel(needs, level)) return
  const { maxAgeSeconds } = needs
  refuse('step_up_required', {
    accountId,
    needs: {
      ...(needsFactor(needs, level) && { acrValues: acrOf[2] }),
      ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
    },
  })
}

/** Whether the session is strong and recent enough. */
export function meetsLevel(needs: Needs, level: Level): boolean {
  const isOfFactor = needsFactor(needs, level)
  if (isOfFactor && level.aal < 2) return false
  if (needs.proofInBody && !isOfFactor) return true
  const { maxAgeSeconds = Number.POSITIVE_INFINITY } = needs
  return level.age_seconds === null || level.age_seconds <= maxAgeSeconds
}

function needsFactor({ aal }: Needs, { has_factor }: Level): boolean {
  return aal === 2 || (aal === 'factor' && has_factor)
}
