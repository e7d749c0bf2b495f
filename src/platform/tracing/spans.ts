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

/** The spans of one process, for `percent` of 100 new traces. The present span is kept here, and not for the whole process. */
export function createSpans(tracer: Tracer, percent: number): Pick<Tracing, 'startRequest' | 'job' | 'around' | 'add'> {
  const present = new AsyncLocalStorage<Context>()
  const open = spanOpener(present)

  /** Decided before anything is made for a span: most requests have none. */
  const isChosen = () => Math.random() * 100 < percent

  /** The present span, where it is recorded. */
  function recorded(): Context | undefined {
    const context = present.getStore()
    return context && trace.getSpan(context)?.isRecording() ? context : undefined
  }

  return {
    startRequest(describe, traceparent) {
      const parent = traceparent === undefined ? undefined : contextOf(traceparent)
      if (parent === undefined && !isChosen()) return undefined
      const { name, attributes } = describe()
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent ?? ROOT_CONTEXT)
      return open(span)
    },
    async job(name, attributes, work) {
      if (!isChosen()) return work(() => undefined)
      const span = open(tracer.startSpan(name, { attributes }, ROOT_CONTEXT))
      let fault: string | undefined
      const note = (code: string) => {
        fault = code
      }
      try {
        const result = await span.run(() => work(note))
        span.end({}, fault)
        return result
      } catch (error) {
        span.end({}, faultOf(error))
        throw error
      }
    },
    async around(name, attributes, work) {
      const parent = recorded()
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
      const parent = recorded()
      if (parent === undefined) return
      const endTime = Date.now()
      const startTime = endTime - durationMs
      tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime }, parent).end(endTime)
    },
  }
}

/** Opens spans that can be the present one. */
function spanOpener(present: AsyncLocalStorage<Context>): (span: Span) => OpenSpan {
  let asking = 0

  return (span) => {
    const isSampled = span.isRecording()
    let isOpen = true
    let isLeft = !isSampled
    if (isSampled) asking += 1
    function leave(): void {
      if (isLeft) return
      isLeft = true
      asking -= 1
      // Until then, Node.js before 24 calls a hook for every promise of the process.
      if (asking === 0) present.disable()
    }
    return {
      traceId: span.spanContext().traceId,
      isSampled,
      run: (work) => (isSampled ? present.run(trace.setSpan(ROOT_CONTEXT, span), work) : work()),
      leave,
      end(attributes: Attributes = {}, fault) {
        if (!isOpen) return
        isOpen = false
        span.setAttributes(fault === undefined ? attributes : { ...attributes, 'error.type': fault })
        if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: fault })
        span.end()
        leave()
      },
    }
  }
}

/** W3C Trace Context, version 00: version, trace, parent, flags. undefined for what is no such text. */
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
