import { Counter, Gauge, Histogram, type OpenMetricsContentType, Registry } from '@prometheus-io/client'

/** Counters and histograms of the service. Callers use the `count…` functions and do not know the metrics library. */
export interface Metrics {
  readonly registry: Registry
  /** All metrics in the text format of Prometheus or OpenMetrics. */
  text(): Promise<string>
  countRequest(request: AnsweredRequest): void
  countProviderCall(call: { readonly provider: string; readonly outcome: string; readonly seconds: number }): void
  /** `outcome`: the code of the result, or of the problem that prevented the check. */
  countKeyCheck(outcome: string): void
  /** Counts a request that an untrusted proxy forwarded. */
  countUntrustedForward(): void
}

interface AnsweredRequest {
  readonly operation: string
  readonly status: number
  /** From the first byte received to the last byte sent. */
  readonly seconds: number
  /** Set if the trace is sent to the collector. */
  readonly traceId?: string | undefined
}

/** Seconds. A cached response takes less than 1 ms, a full export up to a minute. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]
const callBuckets = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Creates the metrics. Label values never come from callers, so the number of time series is bounded. With `hasExemplars`, each request
 * bucket names the trace of its latest request, and the format is OpenMetrics: the Prometheus format has no exemplars.
 */
export function createMetrics(version: string, { hasExemplars = false } = {}): Metrics {
  const registry = newRegistry(hasExemplars)
  const registers = [registry]
  new Gauge({
    name: 'muster_build_info',
    help: 'Always 1. The labels have the versions of Muster and Node.js.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1)
  const requests = new Histogram<RequestLabel>({
    name: 'muster_http_request_duration_seconds',
    help: 'Duration of answered requests, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: requestBuckets,
    registers,
    enableExemplars: hasExemplars,
    collect: () => answered.count(),
  })
  const answered = countInBatches(requests, hasExemplars)
  const calls = new Histogram({
    name: 'muster_provider_call_duration_seconds',
    help: 'Duration of calls to providers, by outcome.',
    labelNames: ['provider', 'outcome'],
    buckets: callBuckets,
    registers,
  })
  const checks = new Counter({
    name: 'muster_key_checks_total',
    help: 'Checks of provider keys, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const untrustedForwards = new Counter({
    name: 'muster_forwarded_untrusted_total',
    help: 'Requests that were forwarded by a proxy which is not in MUSTER_TRUSTED_PROXIES.',
    registers,
  })
  return {
    registry,
    text: () => registry.metrics(),
    countRequest: answered.add,
    countProviderCall: ({ provider, outcome, seconds }) => calls.observe({ provider, outcome }, seconds),
    countKeyCheck: (outcome) => checks.inc({ outcome }),
    countUntrustedForward: () => untrustedForwards.inc(),
  }
}

/** `trace_id` is a label of exemplars only, but the library's types require it here. */
type RequestLabel = 'operation' | 'status' | 'trace_id'

function newRegistry(hasExemplars: boolean): Registry {
  if (!hasExemplars) return new Registry()
  const registry = new Registry<OpenMetricsContentType>()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  // A cast, because the library types metrics for one format, although they work with both.
  return registry as unknown as Registry
}

/**
 * Counts requests in batches, and before each scrape. Counting a single request between two others would take as long as a cached
 * response.
 */
function countInBatches(requests: Histogram<RequestLabel>, hasExemplars: boolean) {
  let pending: AnsweredRequest[] = []

  function count(): void {
    const batch = pending
    pending = []
    for (const { operation, status, seconds, traceId } of batch) {
      const labels = { operation, status }
      const exemplarLabels = traceId === undefined ? {} : { trace_id: traceId }
      // A histogram accepts only one of the two signatures.
      if (hasExemplars) requests.observe({ labels, value: seconds, exemplarLabels })
      else requests.observe(labels, seconds)
    }
  }

  return {
    add(request: AnsweredRequest) {
      pending.push(request)
      if (pending.length === batchMax) count()
    },
    count,
  }
}

const batchMax = 256
