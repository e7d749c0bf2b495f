import type { Attributes } from '@opentelemetry/api'

/** A span that has started. */
export interface OpenSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** Whether the collector gets it. */
  readonly isSampled: boolean
  /** Calls `work` with this span as the present one. */
  run<T>(work: () => T): T
  /** Says before the end that nothing more will ask for the present span below this one. */
  leave(): void
  /** `fault` says why it failed. */
  end(attributes?: Attributes, fault?: string): void
}

export interface SpanDescription {
  readonly name: string
  readonly attributes: Attributes
}

/** `work` throws, or says by `note` that it failed without an error, such as a mail that was refused. */
export type TraceJob = <T>(
  name: string,
  attributes: Attributes,
  work: (note: (fault: string) => void) => Promise<T>,
) => Promise<T>

/** The same where nothing is traced. */
export const untracedJob: TraceJob = (_name, _attributes, work) => work(() => undefined)

/** Makes spans of what this node does for a request. Attributes never hold what a caller sent, nor the values of a statement. */
export interface Tracing {
  /**
   * The span of a request: below the caller's, where `traceparent` (W3C Trace Context) is given, otherwise of a trace of its own, or
   * none where chance does not choose it. `describe` is called for a span only.
   */
  startRequest(describe: () => SpanDescription, traceparent?: string): OpenSpan | undefined
  /** A trace of its own around work of the background. */
  readonly job: TraceJob
  /** A span around `work`, below the present one. Without a present one that is recorded, `work` alone. */
  around<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>
  /** A span below the present one that has ended now, after `durationMs`. */
  add(name: string, attributes: Attributes, durationMs: number): void
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>
}
