/** Result of one check. `fail`: the service cannot start or work. `warn`: it works, but needs attention. Both messages say how to fix it. */
export interface CheckResult {
  readonly level: 'ok' | 'warn' | 'fail'
  /** What was checked. */
  readonly about: string
  readonly message: string
}

/** Functions that create results about one subject. */
export function resultsOf(subject: string) {
  const result = (level: CheckResult['level']) => (message: string) => ({ level, about: subject, message }) as const
  return { ok: result('ok'), warn: result('warn'), fail: result('fail') }
}

/** Checks for `--only` and `--skip`. `database` includes connections, clock, schema, signing key and billing. */
export const checkNames = ['proxies', 'sign-up', 'database', 'issuers', 'mail', 'port', 'providers'] as const
export type CheckName = (typeof checkNames)[number]
