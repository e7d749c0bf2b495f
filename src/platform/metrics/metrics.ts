import { Counter, Gauge, Histogram, type OpenMetricsContentType, Registry } from '@prometheus-io/client'

/** What the service counts about itself. The rooms receive the functions that count and do not know the format. */
export interface Metrics {
  readonly registry: Registry
  /** In Prometheus' text format. */
  text(): Promise<string>
  /** One answered request. */
  countRequest(request: AnsweredRequest): void
  /** One call to a provider. */
  countProviderCall(call: { readonly provider: string; readonly outcome: string; readonly seconds: number }): void
  /** One check of a key, by the code of its result, or of the problem that prevented one. */
  countKeyCheck(outcome: string): void
  /** One request of a proxy that is not trusted. */
  countUntrustedForward(): void
}

export interface AnsweredRequest {
  readonly operation: string
  readonly status: number
  /** From its first byte in to its last byte out. */
  readonly seconds: number
  /** Of a trace that the collector gets. */
  readonly traceId?: string | undefined
}

/** Seconds. A cached response takes less than a millisecond, a whole listing up to a minute. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]
const callBuckets = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Counters by Prometheus' rules of naming. No label comes from a caller: their number is bounded by the contract. With `hasExemplars` each bucket of
 * the requests names the trace of its latest one, and the format is OpenMetrics: the other one has no place for it.
 */
export function createMetrics(version: string, { hasExemplars = false } = {}): Metrics {
  const registry = newRegistry(hasExemplars)
  const registers = [registry]
  new Gauge({
    name: 'muster_build_info',
    help: 'Always 1; the version is in the label.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1)
  const requests = new Histogram<RequestLabel>({
    name: 'muster_http_request_duration_seconds',
    help: 'Answered requests, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: requestBuckets,
    registers,
    enableExemplars: hasExemplars,
    collect: () => answered.count(),
  })
  const answered = countInBatches(requests, hasExemplars)
  const calls = new Histogram({
    name: 'muster_provider_call_duration_seconds',
    help: 'Calls to providers, by outcome.',
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
    help: 'Requests with a forwarded address of a proxy that is not in MUSTER_TRUSTED_PROXIES.',
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

/** `trace_id` is a label of exemplars only, which prom-client types as one of the metric. */
type RequestLabel = 'operation' | 'status' | 'trace_id'

function newRegistry(hasExemplars: boolean): Registry {
  if (!hasExemplars) return new Registry()
  const registry = new Registry<OpenMetricsContentType>()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  // A cast, because metrics are typed for one of the two formats, and take either.
  return registry as unknown as Registry
}

/**
 * Counts requests in batches, and before the metrics are read: counting one request between two others takes as long as finding a
 * cached response.
 */
function countInBatches(requests: Histogram<RequestLabel>, hasExemplars: boolean) {
  let pending: AnsweredRequest[] = []

  function count(): void {
    const batch = pending
    pending = []
    for (const { operation, status, seconds, traceId } of batch) {
      const labels = { operation, status }
      const exemplarLabels = traceId === undefined ? {} : { trace_id: traceId }
      // The two ways exclude each other in prom-client.
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
