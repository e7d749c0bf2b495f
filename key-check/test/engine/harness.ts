import { expect, onTestFinished } from 'vitest'

import type { CloudflareSimulator } from '../../../simulators/cloudflare/server.ts'
import { startCloudflareSimulator } from '../../../simulators/cloudflare/server.ts'
import { type EngineOptions, openKeyChecks } from '../../engine/check.ts'
import { type KeyCheck, KeyCheckError, type KeyChecks, type Result, type Verdict } from '../../index.ts'

export interface Harness {
  readonly simulator: CloudflareSimulator
  readonly keyChecks: KeyChecks
  readonly clock: { advanceSeconds(seconds: number): void; nowMs(): number }
  /** Checks a token, or a global key when an e-mail is given. */
  check(apiKey: string, more?: CheckOptions): Promise<Verdict>
  /** The same, also where there is no verdict. */
  outcomeOf(apiKey: string, more?: CheckOptions): Promise<ShortResult>
}

export type CheckOptions = Partial<Pick<KeyCheck, 'capabilities' | 'bulk' | 'fresh' | 'caller' | 'email' | 'signal'>>

/** A result without its words, or the code of the error where no check was made. */
export type ShortResult =
  | { readonly outcome: 'valid' | 'invalid'; readonly code: string }
  | { readonly outcome: 'undetermined'; readonly code: string; readonly retryAfterSeconds?: number }
  | { readonly error: string }

export const startMs = Date.parse('2026-10-01T12:00:00Z')

/** Key checks against a Cloudflare simulator of its own, with a clock that is moved by hand. */
export async function startHarness(options: Omit<EngineOptions, 'now'> = {}): Promise<Harness> {
  let nowMs = startMs
  const now = () => nowMs
  const simulator = await startCloudflareSimulator({ now })
  const keyChecks = await openKeyChecks({
    defaultProvider: 'cloudflare',
    ...options,
    // The moved clock stands still, and so would a budget that fills with time.
    limits: { callsPerSecondMax: 0, ...options.limits },
    baseUrls: { cloudflare: simulator.url, ...options.baseUrls },
    now,
  })
  onTestFinished(async () => {
    await keyChecks.close()
    await simulator.close()
  })
  const check = (apiKey: string, more: CheckOptions = {}) =>
    keyChecks.check({ keyType: more.email === undefined ? 'api_token' : 'api_key', apiKey, ...more })
  return {
    simulator,
    keyChecks,
    clock: {
      advanceSeconds: (seconds) => {
        nowMs += seconds * 1_000
      },
      nowMs: now,
    },
    check: (apiKey, more) => verdictOf(check(apiKey, more)),
    outcomeOf: (apiKey, more) => resultOf(check(apiKey, more)),
  }
}

/** The verdict. Throws where the check proved nothing. */
export async function verdictOf(check: Promise<Result>): Promise<Verdict> {
  const result = await check
  if (result.outcome === 'undetermined') throw Object.assign(new Error(result.message), result)
  return result
}

/** Turns a thrown error into a value; anything else that is thrown stays thrown. Holds for every answer: no message passes over a warning. */
export async function resultOf(check: Promise<Result>): Promise<ShortResult> {
  try {
    const result = await check
    if (result.outcome === 'undetermined') {
      const { message: _, ...short } = result
      return short
    }
    const { outcome, message, details } = result
    if (details.warnings.length > 0) expect(message).not.toContain('it can be used')
    return { outcome, code: details.code }
  } catch (error) {
    if (error instanceof KeyCheckError) return { error: error.code }
    throw error
  }
}
