import type { KeyChecks, KeyChecksOptions, ProviderInfo } from './api.ts'
import { infoOf, readProviders } from './engine/catalogue.ts'
import { openKeyChecks } from './engine/check.ts'
import * as limits from './engine/limits.ts'

export {
  type Ability,
  abilityNames,
  type Capabilities,
  type CheckCaller,
  certainties,
  credentialCharsMax,
  type Details,
  type Field,
  type InputFault,
  type KeyCheck,
  KeyCheckError,
  type KeyChecks,
  type KeyChecksOptions,
  type KeyType,
  type KeyTypeInfo,
  keyTypeNames,
  type Limits,
  type ProviderInfo,
  type Purpose,
  proofNames,
  type Result,
  type Tunnel,
  type Undetermined,
  type UndeterminedCode,
  type Verdict,
  zonePattern,
} from './api.ts'
export type { Answer, AnsweredCall, Call, Phase } from './calls.ts'
export {
  createFailureCounts,
  type FailedKey,
  type FailureCounts,
  heldMs,
  type PlaceRequest,
  type ShareChange,
  type Taken,
} from './failure-counts.ts'

/**
 * Opens key checks. Connects only on the first check. Throws if an option is wrong: a RangeError for a limit, an Error for a base address
 * of an unknown provider, a `KeyCheckError` for an unknown default provider.
 */
export async function keyChecks(options: KeyChecksOptions = {}): Promise<KeyChecks> {
  return openKeyChecks({ ...options, limits: limits.readLimits(options.limits ?? {}) })
}

/** A provider with the base address of its API. */
export interface KnownProvider extends ProviderInfo {
  readonly baseUrl: string
}

/** All providers of this version, including those that need a configured address. */
export async function knownProviders(): Promise<readonly KnownProvider[]> {
  const providers = await readProviders()
  return [...providers.values()].map((provider) => ({ ...infoOf(provider), baseUrl: provider.baseUrl }))
}

/** Maximum number of connections to one provider. */
export const connectionsMax: number = limits.connectionsMax
