/** The result of one check. `fail`: the service does not start or work; `warn`: worth knowing. The message of both says how to fix it. */
export interface CheckResult {
  readonly level: 'ok' | 'warn' | 'fail'
  /** The checked subject. */
  readonly about: string
  readonly message: string
}

/** Makes the results of the checks of one subject. */
export function resultsOf(subject: string) {
  const result = (level: CheckResult['level']) => (message: string) => ({ level, about: subject, message }) as const
  return { ok: result('ok'), warn: result('warn'), fail: result('fail') }
}

/**
 * The checks that can be chosen. `database` has its connections, clock, schema and signing key with it. The settings are always checked:
 * everything else depends on them.
 */
export const checkNames = ['proxies', 'sign-up', 'database', 'issuers', 'mail', 'port', 'providers'] as const
export type CheckName = (typeof checkNames)[number]
