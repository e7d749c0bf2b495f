import { hostname } from 'node:os'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { Logger } from 'pino'
import { errorCode } from '../error-code.ts'
import { headersOf, type TracingSettings } from './settings.ts'

export const exportTimeoutMs = 10_000

/** What an exporter answers; the code is 0 where the collector has taken everything. */
export interface ExportResult {
  readonly code: number
  readonly error?: Error
}

/** The options of the exporter of OTLP over HTTP. */
export function exporterOptions({ url, headers }: TracingSettings) {
  return { url: `${url}/v1/traces`, headers: headersOf(headers), timeoutMillis: exportTimeoutMs }
}

/** Semantic conventions of OpenTelemetry, `service`. */
export function resourceOf(version: string) {
  return resourceFromAttributes({
    'service.name': 'muster',
    'service.version': version,
    'service.instance.id': `${hostname()}-${process.pid}`,
  })
}

/** Logs once that the collector rejects spans or is down, and once that it accepts them again. */
export function watchExports(log: Logger) {
  let isFailing = false
  return {
    isFailing: () => isFailing,
    note({ error, code }: ExportResult) {
      const hasFailed = error !== undefined || code !== 0
      if (hasFailed && !isFailing)
        log.warn({ cause: codeOf(error) }, 'spans are not sent: the collector does not take them')
      if (!hasFailed && isFailing) log.info('spans are sent again')
      isFailing = hasFailed
    },
  }
}

/** A code, never a message: a message may quote what a caller sent. */
export function codeOf(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.name : 'unknown')
}
