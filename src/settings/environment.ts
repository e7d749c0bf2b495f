/** Read by tests, benchmarks and simulators. */
export const otherNames = [
  'MUSTER_TESTS',
  'MUSTER_TEST_COUNTS',
  'MUSTER_TEST_POSTGRES',
  'MUSTER_TEST_PROFILE',
  'MUSTER_TEST_PROGRAM',
  'MUSTER_TEST_PROXY',
  'MUSTER_BENCH_DIR',
  'MUSTER_BENCH_PEERS_DIR',
  'MUSTER_SIMULATOR_PORT',
]

/** Settings of earlier releases and their replacements. Using one is an error. */
export const removedSettings: Readonly<Record<string, string>> = {
  MUSTER_BULK_FAILURES_MAX:
    'set MUSTER_LOCK_OUT_FAILURES to the number of failures after which the provider blocks the service.',
  MUSTER_BULK_FAILURES_WINDOW_SECONDS: 'set MUSTER_LOCK_OUT_WINDOW_SECONDS.',
  MUSTER_WORKERS: 'start one process per core, on one address with MUSTER_REUSE_PORT=true.',
  MUSTER_EXPORT_SECONDS: 'a full export may take 600 s.',
  MUSTER_EXPORT_STALL_SECONDS: 'a reader of a full export that reads nothing for 30 s is disconnected.',
  MUSTER_KEEP_BILLING_EVENTS_DAYS: 'events of payment processors are kept for 400 days.',
  MUSTER_KEEP_WEBHOOKS_DAYS: 'webhook events are kept for 30 days.',
  MUSTER_REFRESH_GRACE_SECONDS: 'a used refresh token returns the same successor for 60 s.',
  MUSTER_LISTEN_BACKLOG: 'up to 4,096 connections wait, or net.core.somaxconn of the kernel if that is less.',
  MUSTER_OTLP_METRICS_SECONDS: 'let the Prometheus receiver of the collector read /metrics. See docs/monitoring.md.',
  MUSTER_REPLICA_URL:
    'the service reads the primary. Commands that only read, such as export, take a standby as DATABASE_URL.',
  MUSTER_REPLICA_LAG_SECONDS: 'the service reads the primary.',
  MUSTER_CACHE_MIB: 'user data is read from the database on every request.',
  MUSTER_FRESHNESS_SECONDS: 'user data is read from the database on every request.',
  MUSTER_CHANGE_POLL_MS: 'user data is read from the database on every request.',
}

/** What a node needs to start and to serve a few callers, without the embedded PostgreSQL. */
const memoryBytesMin = 256 * 2 ** 20

/**
 * A warning about a memory limit (of a container or unit) that is too low: the kernel kills the process without a log
 * line.
 */
export function memoryWarning(limitBytes: number): string | undefined {
  if (limitBytes <= 0 || limitBytes >= memoryBytesMin) return undefined
  const [limit, needed] = [limitBytes, memoryBytesMin].map((bytes) => `${Math.round(bytes / 2 ** 20)} MiB`)
  return `This process may use ${limit} of memory and needs ${needed}: the system may kill it at any time. Raise the limit.`
}
