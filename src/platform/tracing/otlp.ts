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
import type { Proxies } from '../outgoing/proxies.ts'
import { exporterOptions, exportTimeoutMs, resourceOf, watchExports } from './collector.ts'
import type { TracingSettings } from './settings.ts'
import { createSpans } from './spans.ts'
import type { Tracing } from './tracing.ts'

/** Maximum number of spans waiting to be sent. More are dropped. */
const queueMax = 4_096
const closeMs = 2_000

/** Sends spans to a collector with OTLP over HTTP. This file is loaded only if a collector is configured. */
export function openOtlp(
  settings: TracingSettings,
  { version, proxies, log }: { readonly version: string; readonly proxies: Proxies; readonly log: Logger },
): Tracing {
  const exporter = reporting(new OTLPTraceExporter(exporterOptions(settings, proxies)), log)
  const processor = new BatchSpanProcessor({ exporter, maxQueueSize: queueMax, exportTimeoutMillis: exportTimeoutMs })
  const provider = new TracerProvider({
    resource: resourceOf(version),
    // Follows the sampling decision of a proxy. createSpans samples new traces, so all of them are recorded here.
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
      if (!isSent && !exporter.isFailing()) log.warn('the last spans could not be sent')
    },
  }
}

function reporting(exporter: SpanExporter, log: Logger): SpanExporter & { readonly isFailing: () => boolean } {
  const watch = watchExports(log)
  return {
    isFailing: watch.isFailing,
    export(spans, done) {
      exporter.export(spans, (result) => {
        watch.report(result)
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  }
}
