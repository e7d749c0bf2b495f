import { keyChecks } from '../../key-check/index.ts'
import { keyCheckOptions } from '../key-checks/library.ts'
import type { KeyCheckParts } from '../key-checks/route.ts'
import { sharedFailureCounts } from '../key-checks/shared-failures.ts'
import { createAuditRecorder } from '../platform/audit/audit.ts'
import { readSharedKey } from '../platform/database/keyring.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { createRateLimits } from '../platform/rate-limits.ts'
import type { Tracing } from '../platform/tracing/tracing.ts'
import type { Opening } from './opening.ts'

interface KeyCheckOptions {
  readonly metrics: Metrics
  readonly tracing: Tracing | undefined
}

/** Checks of provider keys. All nodes share the counts of failed keys. */
export async function openKeyChecks(
  { config, database, log, now }: Opening,
  { metrics, tracing }: KeyCheckOptions,
): Promise<KeyCheckParts> {
  const { keyChecksPerMinute, failedKeysMax } = config.limits
  const checks = await keyChecks({
    ...keyCheckOptions(config),
    log,
    onCall({ provider, outcome, durationMs }) {
      metrics.countProviderCall({ provider, outcome, seconds: durationMs / 1_000 })
      tracing?.add(`call ${provider}`, { 'muster.provider': provider, 'muster.outcome': outcome }, durationMs)
    },
    failureCounts: sharedFailureCounts(database, now),
    // All nodes share it, so that a credential has the same digest everywhere.
    digestKey: await readSharedKey(database, 'fingerprint'),
    now,
  })
  return {
    keyChecks: checks,
    recordAudit: createAuditRecorder(database),
    limits: createRateLimits(database, { 'key-checks': { quota: keyChecksPerMinute, windowSeconds: 60 } }, now),
    metrics,
    failedKeysMax,
  }
}
