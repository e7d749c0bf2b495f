import { expect, onTestFinished } from 'vitest'
import { readProviders } from '../../engine/catalogue.ts'
import { type EngineOptions, openKeyChecks } from '../../engine/check.ts'
import type { KeyChecks } from '../../index.ts'
import { credentialFor, type RecordedAnswer, type Recording, recordedEmail } from '../../simulator/recording.ts'
import type { ProvidersSimulator } from '../../simulator/server.ts'
import { resultOf, startMs } from '../engine/harness.ts'

export const providers = await readProviders()

export async function open(simulator: ProvidersSimulator, options: EngineOptions = {}): Promise<KeyChecks> {
  const keyChecks = await openKeyChecks({ ...optionsFor(simulator), ...options })
  onTestFinished(() => keyChecks.close())
  return keyChecks
}

export function optionsFor(simulator: ProvidersSimulator): EngineOptions {
  // The clock stands still, so a call limit would never refill.
  return { baseUrls: simulator.baseUrls, now: () => startMs, limits: { callsPerSecondMax: 0, newKeyPauseMsMax: 10 } }
}

/** Checks a recorded key, and that its answer is understood as recorded. */
export async function expectRecorded(
  keyChecks: KeyChecks,
  recording: Recording,
  answer: RecordedAnswer,
): Promise<void> {
  const result = await check(keyChecks, recording, answer)
  expect(await resultOf(Promise.resolve(result))).toEqual(
    recording.asks && !answer.verdict ? showsNothing : expectedOf(answer),
  )
  const { capabilities, fitsPurpose } = answer.shows ?? {}
  if (capabilities) expect(result).toHaveProperty('details.capabilities', capabilities)
  // An answer that nobody recorded never decides about a zone.
  const fit = fitsPurpose ?? (recording.asks?.zone !== undefined && answer.madeUp ? 'unknown' : undefined)
  if (fit) expect(result).toHaveProperty('details.fitsPurpose', fit)
}

export function check(keyChecks: KeyChecks, recording: Recording, answer: Pick<RecordedAnswer, 'name' | 'parts'>) {
  const { id, keyType, asks } = recording
  const needsEmail = providers.get(id)?.keyTypes[keyType]?.email === 'required'
  const email = needsEmail ? recordedEmail : undefined
  const { apiKey, parts } = credentialFor(recording, answer)
  const purpose = asks?.zone === undefined ? undefined : { zone: asks.zone }
  return keyChecks.check({
    provider: id,
    keyType,
    apiKey,
    email,
    parts,
    capabilities: asks !== undefined,
    for: purpose,
  })
}

function expectedOf({ verdict, problem, retryAfterSeconds, status, body }: RecordedAnswer): unknown {
  if (verdict) return { outcome: verdict.isValid ? 'valid' : 'invalid', code: verdict.code }
  if (problem !== undefined)
    return { outcome: 'undetermined', code: problem, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
  if (status === 429) return { outcome: 'undetermined', code: 'provider_busy', retryAfterSeconds: 17 }
  const isRefusal = (status === 401 || status === 403) && (typeof body !== 'string' || body === '')
  return { outcome: 'undetermined', code: isRefusal ? 'provider_refused' : 'provider_answer_unexpected' }
}

/** A read of abilities never changes the verdict. */
const showsNothing = { outcome: 'valid', code: expect.stringMatching(/^(?:valid|capabilities_unknown)$/) }
