import { AsyncLocalStorage } from 'node:async_hooks'
import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import {
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { errorCode } from '../error-code.ts'
import { Problem } from '../problems.ts'
import { headersOf, type TracingSettings } from './settings.ts'
import type { OpenSpan, Tracing } from './tracing.ts'

/** Of spans that wait to be sent; more are dropped. */
const queueMax = 4_096
const exportTimeoutMs = 10_000
const closeMs = 2_000

/** Spans for a collector, by OTLP over HTTP. Loaded only where a collector is set. */
export function openTracing(
  { url, headers, percent }: TracingSettings,
  { version, log }: { readonly version: string; readonly log: Logger },
): Tracing {
  const otlp = { url: `${url}/v1/traces`, headers: headersOf(headers), timeoutMillis: exportTimeoutMs }
  const exporter = reporting(new OTLPTraceExporter(otlp), log)
  const processor = new BatchSpanProcessor({ exporter, maxQueueSize: queueMax, exportTimeoutMillis: exportTimeoutMs })
  const provider = new TracerProvider({
    resource: resourceOf(version),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(percent / 100) }),
    spanProcessors: [processor],
  })
  const tracer = provider.getTracer('muster', version)
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
    async close() {
      const sent = provider.shutdown().then(
        () => true,
        () => false,
      )
      const isSent = await Promise.race([sent, setTimeout(closeMs, false, { ref: false })])
      if (!isSent && !exporter.isFailing()) log.warn('spans of the last requests were not sent')
    },
  }
}

function resourceOf(version: string) {
  return resourceFromAttributes({
    'service.name': 'muster',
    'service.version': version,
    'service.instance.id': `${hostname()}-${process.pid}`,
  })
}

function openSpan(span: Span, present: AsyncLocalStorage<Context>): OpenSpan {
  return {
    traceId: span.spanContext().traceId,
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

/** Says once that the collector takes no spans, and once that it does again. */
function reporting(exporter: SpanExporter, log: Logger): SpanExporter & { readonly isFailing: () => boolean } {
  let isFailing = false
  return {
    isFailing: () => isFailing,
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined || result.code !== 0
        if (hasFailed && !isFailing)
          log.warn({ cause: faultOf(result.error) }, 'spans are not sent: the collector does not take them')
        if (!hasFailed && isFailing) log.info('spans are sent again')
        isFailing = hasFailed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  }
}

/** A code, never a message: a message may quote what a caller sent. */
function faultOf(error: unknown): string {
  if (error instanceof Problem) return error.code
  return errorCode(error) ?? (error instanceof Error ? error.name : 'unknown')
}
