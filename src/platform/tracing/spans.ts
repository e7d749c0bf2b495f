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

/** The spans of one process. The present one is kept here, and not for the whole process. */
export function createSpans(tracer: Tracer): Pick<Tracing, 'startRequest' | 'job' | 'around' | 'add'> {
  const present = new AsyncLocalStorage<Context>()

  /** The present span, where it is recorded. */
  function recorded(): Context | undefined {
    const context = present.getStore()
    return context && trace.getSpan(context)?.isRecording() ? context : undefined
  }

  return {
    startRequest(name, attributes, traceparent) {
      const parent = traceparent === undefined ? ROOT_CONTEXT : contextOf(traceparent)
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
      return openSpan(span, present)
    },
    async job(name, attributes, work) {
      const span = openSpan(tracer.startSpan(name, { attributes }, ROOT_CONTEXT), present)
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
      const span = openSpan(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent), present)
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

function openSpan(span: Span, present: AsyncLocalStorage<Context>): OpenSpan {
  return {
    traceId: span.spanContext().traceId,
    isSampled: span.isRecording(),
    run: (work) => present.run(trace.setSpan(ROOT_CONTEXT, span), work),
    end(attributes: Attributes = {}, fault) {
      span.setAttributes(fault === undefined ? attributes : { ...attributes, 'error.type': fault })
      if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: fault })
      span.end()
    },
  }
}

/** W3C Trace Context, version 00: version, trace, parent, flags. What is no such text begins a trace of its own. */
function contextOf(traceparent: string): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? []
  const traceFlags = Number.parseInt(flags || '0', 16) & TraceFlags.SAMPLED
  const parent = { traceId, spanId, traceFlags, isRemote: true }
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
}

function faultOf(error: unknown): string {
  return error instanceof Problem ? error.code : codeOf(error)
}
