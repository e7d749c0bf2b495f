import type { RowResult } from './check-rows.ts'

/** The Prometheus text format. Of an undetermined key nothing is known, so it has no `muster_watched_key_valid`. */
export function metricsOf(results: readonly RowResult[], nowMs: number): string {
  const judged = results.filter(({ outcome }) => outcome !== 'undetermined')
  return [
    ...family('valid', '1 where the provider accepts the key, 0 where it does not.', judged, ({ outcome }) =>
      outcome === 'valid' ? 1 : 0,
    ),
    ...family('undetermined', '1 where the last check gave no verdict.', results, ({ outcome }) =>
      outcome === 'undetermined' ? 1 : 0,
    ),
    ...family(
      'expires_timestamp_seconds',
      'When the key expires, where the provider tells it.',
      results.filter(({ expiresOn }) => expiresOn !== undefined),
      ({ expiresOn = '' }) => Date.parse(expiresOn) / 1_000,
    ),
    ...family('checked_timestamp_seconds', 'When the check began.', results, () => Math.floor(nowMs / 1_000)),
    '',
  ].join('\n')
}

function family(
  name: string,
  help: string,
  results: readonly RowResult[],
  sampleOf: (result: RowResult) => number,
): string[] {
  const metric = `muster_watched_key_${name}`
  const samples = results.map(
    (result) =>
      `${metric}{label="${escaped(result.label)}",provider="${escaped(result.provider)}"} ${sampleOf(result)}`,
  )
  return samples.length === 0 ? [] : [`# HELP ${metric} ${help}`, `# TYPE ${metric} gauge`, ...samples]
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
