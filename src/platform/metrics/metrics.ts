import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What the service counts about itself. The rooms are handed what they count with; none knows how it is told. */
export interface Metrics {
  readonly registry: Registry
  /** What Prometheus reads. */
  text(): Promise<string>
  /** One request that was answered; `seconds` from its first byte in to its last byte out. */
  countRequest(operation: string, status: number, seconds: number): void
  /** One call to a provider. */
  countProviderCall(call: { readonly provider: string; readonly outcome: string; readonly seconds: number }): void
  /** One check of a key, by the code of what was found, or of the problem that left it open. */
  countKeyCheck(outcome: string): void
}

/** Seconds. What is kept is answered within a millisecond, a whole listing takes a minute. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]
const callBuckets = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counters by Prometheus' rules of naming. No label comes from a caller: their number is bounded by the contract. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry()
  const registers = [registry]
  new Gauge({
    name: 'muster_build_info',
    help: 'Always 1; the version is in the label.',
    labelNames: ['version', 'node'],
    registers,
    aggregator: 'first',
  }).set({ version, node: process.version }, 1)
  const requests = new Histogram({
    name: 'muster_http_request_duration_seconds',
    help: 'Requests that were answered, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: requestBuckets,
    registers,
    collect: () => answered.count(),
  })
  const answered = countedTogether(requests)
  const calls = new Histogram({
    name: 'muster_provider_call_duration_seconds',
    help: 'Calls to providers, by what came of them.',
    labelNames: ['provider', 'outcome'],
    buckets: callBuckets,
    registers,
  })
  const checks = new Counter({
    name: 'muster_key_checks_total',
    help: 'Checks of providers’ keys, by what was found.',
    labelNames: ['outcome'],
    registers,
  })
  return {
    registry,
    text: () => registry.metrics(),
    countRequest: (operation, status, seconds) => answered.add({ operation, status, seconds }),
    countProviderCall: ({ provider, outcome, seconds }) => calls.observe({ provider, outcome }, seconds),
    countKeyCheck: (outcome) => checks.inc({ outcome }),
  }
}

interface AnsweredRequest {
  readonly operation: string
  readonly status: number
  readonly seconds: number
}

/**
 * Counts requests when there are many, or when somebody reads: one at a time, between two requests, counting takes as long as
 * finding a kept answer.
 */
function countedTogether(requests: Histogram<'operation' | 'status'>) {
  let waiting: AnsweredRequest[] = []

  function count(): void {
    const counted = waiting
    waiting = []
    for (const { operation, status, seconds } of counted) requests.observe({ operation, status }, seconds)
  }

  return {
    add(request: AnsweredRequest) {
      waiting.push(request)
      if (waiting.length === waitingMax) count()
    },
    count,
  }
}

const waitingMax = 256
