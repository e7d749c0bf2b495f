import { expect, onTestFinished } from 'vitest'

import type { CloudflareSimulator } from '../../../simulators/cloudflare/server.ts'
import { startCloudflareSimulator } from '../../../simulators/cloudflare/server.ts'
import type { Validation, ValidationOptions, Verdict } from '../../../src/key-checks/engine/check.ts'
import { createValidation } from '../../../src/key-checks/engine/check.ts'
import { Problem } from '../../../src/platform/problems.ts'
import { Secret } from '../../../src/platform/secret.ts'

export interface Harness {
  readonly simulator: CloudflareSimulator
  readonly validation: Validation
  readonly clock: { advanceSeconds(seconds: number): void; nowMs(): number }
  /** Checks a token, or a global key when an e-mail is given. */
  check(
    apiKey: string,
    more?: { email?: string; details?: boolean; isBulk?: boolean; signal?: AbortSignal },
  ): Promise<Verdict>
  /** The same, with the problem in place of a verdict as an answer. */
  outcomeOf(apiKey: string, more?: { email?: string; details?: boolean; isBulk?: boolean }): Promise<Result>
}

export type Result =
  | { readonly isValid: boolean; readonly code: string }
  | { readonly problem: string; readonly retryAfterSeconds?: number }

export const startMs = Date.parse('2026-10-01T12:00:00Z')

/** A validation against a Cloudflare simulator of its own, with a clock that is moved by hand. */
export async function startHarness(options: Omit<ValidationOptions, 'now'> = {}): Promise<Harness> {
  let nowMs = startMs
  const now = () => nowMs
  const simulator = await startCloudflareSimulator({ now })
  const validation = await createValidation({
    ...options,
    // The moved clock stands still, and so would a budget that fills with time.
    limits: { callsPerSecondMax: 0, ...options.limits },
    baseUrls: { cloudflare: simulator.url, ...options.baseUrls },
    now,
  })
  onTestFinished(async () => {
    await validation.close()
    await simulator.close()
  })
  const check: Harness['check'] = (apiKey, more = {}) =>
    validation.check({
      keyType: more.email === undefined ? 'api_token' : 'api_key',
      apiKey: new Secret(apiKey),
      ...more,
    })
  return {
    simulator,
    validation,
    clock: {
      advanceSeconds: (seconds) => {
        nowMs += seconds * 1_000
      },
      nowMs: now,
    },
    check,
    outcomeOf: (apiKey, more) => resultOf(check(apiKey, more)),
  }
}

/** Turns a thrown problem into a value; anything else that is thrown stays thrown. Holds for every answer: no message passes over a warning. */
export async function resultOf(check: Promise<Verdict>): Promise<Result> {
  try {
    const { isValid, message, details } = await check
    if (details.warnings.length > 0) expect(message).not.toContain('it can be used')
    return { isValid, code: details.code }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { retryAfterSeconds } = error.more
    return { problem: error.code, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
  }
}
