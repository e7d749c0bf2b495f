import type { KeyChecksOptions } from '../../key-check/index.ts'

/** What the operator may configure of providers. */
export interface ProviderSettings {
  readonly defaultId: string
  readonly baseUrls: ReadonlyMap<string, string>
  /** 0 leaves it to each provider. */
  readonly callsPerSecond: number
  /** 0 leaves it to each provider. */
  readonly lockOutFailures: number
  /** 0 leaves it to each provider. */
  readonly lockOutWindowSeconds: number
}

/** The options of key checks as configured, for the service and for the command line alike. */
export function keyCheckOptions(settings: ProviderSettings): KeyChecksOptions {
  const { defaultId, baseUrls, callsPerSecond, lockOutFailures, lockOutWindowSeconds } = settings
  return {
    defaultProvider: defaultId,
    listedBy: 'GET /api/v1/providers',
    baseUrls: Object.fromEntries(baseUrls),
    limits: {
      ...(callsPerSecond !== 0 && { callsPerSecondMax: callsPerSecond }),
      ...(lockOutFailures !== 0 && { lockOutFailures }),
      ...(lockOutWindowSeconds !== 0 && { lockOutWindowMs: lockOutWindowSeconds * 1_000 }),
    },
  }
}
