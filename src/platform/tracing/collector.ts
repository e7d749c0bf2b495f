import { hostname } from 'node:os'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { Logger } from 'pino'
import { errorCode } from '../error-code.ts'
import { outgoingAgent } from '../outgoing/agent.ts'
import type { Proxies } from '../outgoing/proxies.ts'
import { proxyFaultOf } from '../outgoing/tunnel.ts'
import { headersOf, type TracingSettings } from './settings.ts'

export const exportTimeoutMs = 10_000

/** Result of an export. Code 0 means success. */
interface ExportResult {
  readonly code: number
  readonly error?: Error
}

/** Options of the OTLP exporter over HTTP. */
export function exporterOptions({ url, headers }: TracingSettings, proxies: Proxies) {
  const agent = outgoingAgent(proxies, new URL(url), exportTimeoutMs)
  return {
    url: `${url}/v1/traces`,
    headers: headersOf(headers),
    timeoutMillis: exportTimeoutMs,
    httpAgentOptions: () => agent,
  }
}

/** OpenTelemetry resource attributes of the service. */
export function resourceOf(version: string) {
  return resourceFromAttributes({
    'service.name': 'muster',
    'service.version': version,
    'service.instance.id': `${hostname()}-${process.pid}`,
  })
}

/** Logs when exports start to fail, and when they succeed again. */
export function watchExports(log: Logger) {
  let isFailing = false
  return {
    isFailing: () => isFailing,
    report({ error, code }: ExportResult) {
      const hasFailed = error !== undefined || code !== 0
      if (hasFailed && !isFailing)
        log.warn(
          { cause: codeOf(error), ...proxyFaultOf(error) },
          'spans could not be sent: the collector rejects them or is unreachable',
        )
      if (!hasFailed && isFailing) log.info('the collector accepts spans again')
      isFailing = hasFailed
    },
  }
}

/** Returns the code or name of an error, never the message, which may quote the caller's input. */
export function codeOf(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.name : 'unknown')
}
