import { expect } from 'vitest'
import type { EngineOptions } from '../../engine/check.ts'
import type { KeyChecks } from '../../index.ts'
import { credentialFor, type RecordedAnswer, type Recording, recordedEmail } from '../../simulator/recording.ts'
import type { ProvidersSimulator } from '../../simulator/server.ts'
import { openForTest, providers, quickLimits, resultOf, startMs } from '../engine/harness.ts'

export { providers }

export function open(simulator: ProvidersSimulator, options: EngineOptions = {}): Promise<KeyChecks> {
  return openForTest({ ...optionsFor(simulator), ...options })
}

export function optionsFor(simulator: ProvidersSimulator): EngineOptions {
  return { providers, baseUrls: simulator.baseUrls, now: () => startMs, limits: quickLimits }
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
  const { capabilities, fitsPurpose, advice } = answer.shows ?? {}
  if (advice) expect(result).toHaveProperty('details.advice', advice)
  if (advice) expect(result.message).toMatch(/ is valid and active; a key with fewer permissions would be safer\.$/)
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
  const proof = asks?.proves && ({ ability: 'dns:edit', prove: 'refused_write' } as const)
  const purpose = asks?.zone === undefined ? undefined : { zone: asks.zone, ...proof }
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
