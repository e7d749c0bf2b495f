import { expect, onTestFinished, type TestContext } from 'vitest'

import type { CloudflareSimulator } from '../../../simulators/cloudflare/server.ts'
import { startCloudflareSimulator } from '../../../simulators/cloudflare/server.ts'
import { readProviders } from '../../engine/catalogue.ts'
import { type EngineOptions, openKeyChecks } from '../../engine/check.ts'
import { type KeyCheck, KeyCheckError, type KeyChecks, type Result, type Verdict } from '../../index.ts'
import { type ProvidersSimulator, startProvidersSimulator } from '../../simulator/server.ts'

export interface Harness {
  readonly simulator: CloudflareSimulator
  readonly keyChecks: KeyChecks
  readonly clock: { advanceSeconds(seconds: number): void; nowMs(): number }
  /** Checks a token, or a global key if an email is given. */
  check(apiKey: string, more?: CheckOptions): Promise<Verdict>
  /** The same, including undetermined results. */
  outcomeOf(apiKey: string, more?: CheckOptions): Promise<ShortResult>
}

type CheckOptions = Partial<Pick<KeyCheck, 'capabilities' | 'bulk' | 'fresh' | 'caller' | 'email' | 'signal'>>

/** A result without its texts, or the error code. */
export type ShortResult =
  | { readonly outcome: 'valid' | 'invalid'; readonly code: string }
  | { readonly outcome: 'undetermined'; readonly code: string; readonly retryAfterSeconds?: number }
  | { readonly error: string }

/** Read once, because opening sixty files for every test takes longer than most tests. */
export const providers = await readProviders()

export const startMs = Date.parse('2026-10-01T12:00:00Z')

type AtEnd = TestContext['onTestFinished']

const patientMs = 60_000

/**
 * The clock of many tests stands still, so a limit per second would never refill. Repeated calls do not wait for the provider. An answer has
 * much time: on a busy machine it needs it, and no test is about that.
 */
export const quickLimits = {
  callsPerSecondMax: 0,
  pauseMsMax: 10,
  deadlineMs: patientMs,
  connectTimeoutMs: patientMs,
  headersTimeoutMs: patientMs,
  bodyTimeoutMs: patientMs,
}

/** Key checks until the test ends. A concurrent test gives the function of its context. */
export async function openForTest(options: EngineOptions = {}, atEnd: AtEnd = onTestFinished): Promise<KeyChecks> {
  const keyChecks = await openKeyChecks({ providers, ...options, limits: { ...quickLimits, ...options.limits } })
  atEnd(() => keyChecks.close())
  return keyChecks
}

/** Every provider but Cloudflare until the test ends. */
export async function simulatorForTest(atEnd: AtEnd = onTestFinished): Promise<ProvidersSimulator> {
  const simulator = await startProvidersSimulator()
  atEnd(() => simulator.close())
  return simulator
}

/** Key checks against a new Cloudflare simulator, with a manual clock. */
export async function startHarness(
  options: Omit<EngineOptions, 'now'> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<Harness> {
  let nowMs = startMs
  const now = () => nowMs
  const simulator = await startCloudflareSimulator({ now })
  atEnd(simulator.close)
  const baseUrls = { cloudflare: simulator.url, ...options.baseUrls }
  const keyChecks = await openForTest({ defaultProvider: 'cloudflare', ...options, baseUrls, now }, atEnd)
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

/** The verdict. Throws if the check is undetermined. */
export async function verdictOf(check: Promise<Result>): Promise<Verdict> {
  const result = await check
  if (result.outcome === 'undetermined') throw Object.assign(new Error(result.message), result)
  return result
}

/** Returns the `KeyCheckError`; other errors are thrown. Also checks that no message hides a warning. */
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
