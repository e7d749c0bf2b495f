import { setTimeout } from 'node:timers/promises'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { exporterOptions, exportTimeoutMs, resourceOf, watchExports } from './collector.ts'
import type { TracingSettings } from './settings.ts'
import { createSpans } from './spans.ts'
import type { Tracing } from './tracing.ts'

/** Of spans that wait to be sent; more are dropped. */
const queueMax = 4_096
const closeMs = 2_000

/** Spans for a collector, by OTLP over HTTP. Loaded only where a collector is set. */
export function openTracing(
  settings: TracingSettings,
  { version, log }: { readonly version: string; readonly log: Logger },
): Tracing {
  const exporter = reporting(new OTLPTraceExporter(exporterOptions(settings)), log)
  const processor = new BatchSpanProcessor({ exporter, maxQueueSize: queueMax, exportTimeoutMillis: exportTimeoutMs })
  const provider = new TracerProvider({
    resource: resourceOf(version),
    // A proxy that sent its trace has decided; of others, only those that were chosen begin one.
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [processor],
  })
  const tracer = provider.getTracer('muster', version)

  return {
    ...createSpans(tracer, settings.percent),
    async close() {
      const sent = provider.shutdown().then(
        () => true,
        () => false,
      )
      const isSent = await Promise.race([sent, setTimeout(closeMs, false, { ref: false })])
      if (!isSent && !exporter.isFailing()) log.warn('the last spans were not sent')
    },
  }
}

function reporting(exporter: SpanExporter, log: Logger): SpanExporter & { readonly isFailing: () => boolean } {
  const watch = watchExports(log)
  return {
    isFailing: watch.isFailing,
    export(spans, done) {
      exporter.export(spans, (result) => {
        watch.note(result)
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  }
}
