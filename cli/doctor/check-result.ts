/** What one look found. `fail`: the service will not start or not do its work; `warn`: something to know; both say what to do. */
export interface CheckResult {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly about: string
  readonly message: string
}

/** Findings about one thing. */
export function resultsOf(subject: string) {
  const finding = (level: CheckResult['level']) => (message: string) => ({ level, about: subject, message }) as const
  return { ok: finding('ok'), warn: finding('warn'), fail: finding('fail') }
}
