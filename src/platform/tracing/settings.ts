import type { Secret } from '../secret.ts'
import type { SettingsReader } from '../settings.ts'

export interface TracingSettings {
  /** URL of the collector, without `/v1/traces`. */
  readonly url: string
  /** `name=value`, separated by commas. */
  readonly headers: Secret | undefined
  /** Percentage of requests to trace, 0 to 100. */
  readonly percent: number
}

/** Returns `undefined` if tracing is off. */
export function readTracing(read: SettingsReader): TracingSettings | undefined {
  const url = read.url(
    'MUSTER_OTLP_URL',
    'URL of an OpenTelemetry collector for OTLP over HTTP, such as http://localhost:4318. Without it, tracing is off. See docs/monitoring.md.',
    '',
  )
  const headers = read.secret(
    'MUSTER_OTLP_HEADERS',
    'Headers for the collector: name=value, separated by commas.',
    headersFault,
  )
  const percent = read.integer('MUSTER_TRACES_PERCENT', 'Percentage of requests that are traced.', {
    fallback: 100,
    min: 0,
    max: 100,
  })
  return url === '' ? undefined : { url, headers, percent }
}

/** Parses the setting into headers by name. */
export function headersOf(headers: Secret | undefined): Record<string, string> {
  const pairs = headers?.open().split(',') ?? []
  return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).map((part) => part.trim())))
}

function headersFault(value: string): string | undefined {
  const isPair = (pair: string) => /^\s*[!#$%&'*+.^_`|~\w-]+\s*=[ -~]*$/.test(pair)
  return value.split(',').every(isPair) ? undefined : 'must be name=value, separated by commas.'
}
