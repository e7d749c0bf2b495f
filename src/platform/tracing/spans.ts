import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { Problem } from '../problems.ts'
import { codeOf } from './collector.ts'
import type { OpenSpan, Tracing } from './tracing.ts'

/** Creates spans for `percent` of new traces. Keeps its own active span instead of OpenTelemetry's global context. */
export function createSpans(tracer: Tracer, percent: number): Pick<Tracing, 'startRequest' | 'job' | 'around' | 'add'> {
  const active = new AsyncLocalStorage<Context>()
  const open = spanOpener(active)

  /** Samples before any span is created, because most requests may need none. */
  const isSampled = () => Math.random() * 100 < percent

  /** Context of the active span, if the span is recorded. */
  function recordedParent(): Context | undefined {
    const context = active.getStore()
    return context && trace.getSpan(context)?.isRecording() ? context : undefined
  }

  return {
    startRequest(describe, traceparent) {
      const parent = traceparent === undefined ? undefined : contextOf(traceparent)
      if (parent === undefined && !isSampled()) return undefined
      const { name, attributes } = describe()
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent ?? ROOT_CONTEXT)
      return open(span)
    },
    async job(name, attributes, work) {
      if (!isSampled()) return work(() => undefined)
      const span = open(tracer.startSpan(name, { attributes }, ROOT_CONTEXT))
      let fault: string | undefined
      const reportFault = (code: string) => {
        fault = code
      }
      try {
        const result = await span.run(() => work(reportFault))
        span.end({}, fault)
        return result
      } catch (error) {
        span.end({}, faultOf(error))
        throw error
      }
    },
    async around(name, attributes, work) {
      const parent = recordedParent()
      if (parent === undefined) return work()
      const span = open(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent))
      try {
        const result = await span.run(work)
        span.end()
        return result
      } catch (error) {
        span.end({}, faultOf(error))
        throw error
      }
    },
    add(name, attributes, durationMs) {
      const parent = recordedParent()
      if (parent === undefined) return
      const endTime = Date.now()
      const startTime = endTime - durationMs
      tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime }, parent).end(endTime)
    },
  }
}

/** Wraps spans, so that they can be the active span. */
function spanOpener(active: AsyncLocalStorage<Context>): (span: Span) => OpenSpan {
  let activeCount = 0

  return (span) => {
    const isSampled = span.isRecording()
    let isOpen = true
    let isDeactivated = !isSampled
    if (isSampled) activeCount += 1
    function deactivate(): void {
      if (isDeactivated) return
      isDeactivated = true
      activeCount -= 1
      // While enabled, Node.js before 24 calls a hook for every promise of the process.
      if (activeCount === 0) active.disable()
    }
    return {
      traceId: span.spanContext().traceId,
      isSampled,
      run: (work) => (isSampled ? active.run(trace.setSpan(ROOT_CONTEXT, span), work) : work()),
      deactivate,
      end(attributes: Attributes = {}, fault) {
        if (!isOpen) return
        isOpen = false
        span.setAttributes(fault === undefined ? attributes : { ...attributes, 'error.type': fault })
        if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: fault })
        span.end()
        deactivate()
      },
    }
  }
}

/** Parses `traceparent` (W3C Trace Context, version 00). Returns undefined if it is malformed. */
function contextOf(traceparent: string): Context | undefined {
  const [, traceId = '', spanId = '', flags = ''] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? []
  const traceFlags = Number.parseInt(flags || '0', 16) & TraceFlags.SAMPLED
  const parent = { traceId, spanId, traceFlags, isRemote: true }
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : undefined
}

function faultOf(error: unknown): string {
  return error instanceof Problem ? error.code : codeOf(error)
}
