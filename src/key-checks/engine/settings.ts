import type { ValidationOptions } from './check.ts'

/** What the operator may say of providers. */
export interface ProviderSettings {
  readonly defaultId: string
  readonly baseUrls: ReadonlyMap<string, string>
  /** 0 leaves it to each provider. */
  readonly callsPerSecond: number
}

/** The options of a validation as configured, for the service and for the command line alike. */
export function validationOptions({ defaultId, baseUrls, callsPerSecond }: ProviderSettings): ValidationOptions {
  return {
    defaultProvider: defaultId,
    baseUrls: Object.fromEntries(baseUrls),
    limits: callsPerSecond === 0 ? {} : { callsPerSecondMax: callsPerSecond },
  }
}
