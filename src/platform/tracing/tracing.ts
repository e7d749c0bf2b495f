import type { Attributes } from '@opentelemetry/api'

export interface OpenSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** Whether the span is sent to the collector. */
  readonly isSampled: boolean
  /** Calls `work` with this span as the active span. */
  run<T>(work: () => T): T
  /** Call this before `end` if nothing will create child spans any more. */
  deactivate(): void
  /** `fault`: code of the error, if the span failed. */
  end(attributes?: Attributes, fault?: string): void
}

interface SpanDescription {
  readonly name: string
  readonly attributes: Attributes
}

/** Runs `work` in a span. To report a failure without an error, such as a rejected mail, `work` calls `reportFault`. */
export type TraceJob = <T>(
  name: string,
  attributes: Attributes,
  work: (reportFault: (fault: string) => void) => Promise<T>,
) => Promise<T>

/** Used if tracing is off. */
export const untracedJob: TraceJob = (_name, _attributes, work) => work(() => undefined)

/** Creates spans. Attributes never contain input of a caller or values of a statement. */
export interface Tracing {
  /**
   * Starts the span of a request, as a child of `traceparent` (W3C Trace Context) or in a new trace. Returns undefined if the request is
   * not sampled, and then does not call `describe`.
   */
  startRequest(describe: () => SpanDescription, traceparent?: string): OpenSpan | undefined
  /** Runs a background job in a new trace. */
  readonly job: TraceJob
  /** Runs `work` in a child span of the active span. Without a recorded active span, only runs `work`. */
  around<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>
  /** Adds a child span of the active span that ends now and has lasted `durationMs`. */
  add(name: string, attributes: Attributes, durationMs: number): void
  /** Sends the remaining spans. Waits at most two seconds. */
  close(): Promise<void>
}
