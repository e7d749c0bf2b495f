import type { KeyChecksOptions } from '../../key-check/index.ts'

/** The operator’s settings for providers. */
export interface ProviderSettings {
  readonly defaultId: string
  readonly baseUrls: ReadonlyMap<string, string>
  readonly outgoingAddresses: readonly string[]
  /** 0: the provider’s own value. */
  readonly callsPerSecond: number
  /** 0: the provider’s own value. */
  readonly lockOutFailures: number
  /** 0: the provider’s own value. */
  readonly lockOutWindowSeconds: number
}

/** The configured options of key checks, for the service and the command line. */
export function keyCheckOptions(settings: ProviderSettings): KeyChecksOptions {
  const { defaultId, baseUrls, outgoingAddresses, callsPerSecond, lockOutFailures, lockOutWindowSeconds } = settings
  return {
    defaultProvider: defaultId,
    listedBy: 'GET /api/v1/providers',
    outgoingAddresses,
    baseUrls: Object.fromEntries(baseUrls),
    limits: {
      ...(callsPerSecond !== 0 && { callsPerSecondMax: callsPerSecond }),
      ...(lockOutFailures !== 0 && { lockOutFailures }),
      ...(lockOutWindowSeconds !== 0 && { lockOutWindowMs: lockOutWindowSeconds * 1_000 }),
    },
  }
}
