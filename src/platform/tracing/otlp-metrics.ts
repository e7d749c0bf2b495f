import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { MeterProvider, PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { exporterOptions, exportTimeoutMs, resourceOf, watchExports } from './collector.ts'
import { metricDataOf } from './metric-data.ts'
import type { TracingSettings } from './settings.ts'

/** Sends what `/metrics` shows of this process, every `metricsSeconds`, by OTLP over HTTP. `close` sends it once more. */
export function sendMetrics(
  settings: TracingSettings,
  registry: Pick<Registry, 'getMetricsAsJSON'>,
  { version, log }: { readonly version: string; readonly log: Logger },
): { close(): Promise<void> } {
  const resource = resourceOf(version)
  const startTime = timeOf(Date.now() - process.uptime() * 1_000)
  const producer = {
    async collect() {
      const times = { startTime, endTime: timeOf(Date.now()) }
      const metrics = metricDataOf(await registry.getMetricsAsJSON(), times)
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'muster', version }, metrics }] },
        errors: [],
      }
    },
  }
  const exportIntervalMillis = settings.metricsSeconds * 1_000
  const reader = new PeriodicExportingMetricReader({
    exporter: reporting(new OTLPMetricExporter(exporterOptions(settings, 'metrics')), log),
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(exportTimeoutMs, exportIntervalMillis),
    metricProducers: [producer],
  })
  const provider = new MeterProvider({ resource, readers: [reader] })
  return { close: () => provider.shutdown() }
}

function reporting(exporter: OTLPMetricExporter, log: Logger): PushMetricExporter {
  const watch = watchExports('metrics', log)
  return {
    export(metrics, done) {
      exporter.export(metrics, (result) => {
        watch.note(result)
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  }
}

/** Seconds and nanoseconds. */
function timeOf(ms: number): [number, number] {
  return [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)]
}
