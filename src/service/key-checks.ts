import type { Logger } from 'pino'
import { type KeyChecks, keyChecks } from '../../key-check/index.ts'
import type { Config } from '../config.ts'
import { keyCheckOptions } from '../key-checks/options.ts'
import { sharedFailureCounts } from '../key-checks/shared-failures.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { Tracing } from '../platform/tracing/tracing.ts'

interface KeyCheckSurroundings {
  readonly log: Logger
  readonly now: Clock | undefined
  readonly digestKey: Buffer
  readonly metrics: Pick<Metrics, 'countProviderCall'>
  readonly tracing: Tracing | undefined
}

/** Checks of providers' keys, with counts of failed keys that all nodes share. */
export function openKeyChecks(
  { providers }: Config,
  database: Database,
  { digestKey, log, now, metrics, tracing }: KeyCheckSurroundings,
): Promise<KeyChecks> {
  return keyChecks({
    ...keyCheckOptions(providers),
    log,
    onCall({ provider, outcome, durationMs }) {
      metrics.countProviderCall({ provider, outcome, seconds: durationMs / 1_000 })
      tracing?.add(`call ${provider}`, { 'muster.provider': provider, 'muster.outcome': outcome }, durationMs)
    },
    failureCounts: sharedFailureCounts(database, now ?? Date.now),
    digestKey,
    ...(now && { now }),
  })
}
