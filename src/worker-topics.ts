import type { Validation } from './key-checks/engine/check.ts'
import type { Undetermined } from './key-checks/engine/provider.ts'
import type { Peers } from './platform/cluster/peers.ts'
import type { SharedCounts } from './platform/rate-limit/node-counter.ts'
import type { NodeLimits } from './platform/rate-limit/rate-limits.ts'

interface CallsCounted {
  readonly limit: keyof NodeLimits
  readonly key: string
  readonly calls: number
  readonly endsAtMs: number
}

/** What the workers of one node send each other, so that a limit of the node holds whichever worker a request reaches. */
export function openWorkerTopics(peers: Peers) {
  const callsCounted = peers.topic<CallsCounted>('calls-counted')
  const coolDowns = peers.topic<{ provider: string; outcome: Undetermined; untilMs: number }>('provider-cool-down')
  const databaseUnreachable = peers.topic<undefined>('database-unreachable')

  return {
    sharedCounts: (limit: keyof NodeLimits): SharedCounts => ({
      workers: peers.count,
      send: (key, calls, endsAtMs) => callsCounted.send({ limit, key, calls, endsAtMs }),
    }),
    /** No worker may call during a cool-down: the provider would prolong it. A worker that starts later learns of it too. */
    sendCoolDown(provider: string, outcome: Undetermined): void {
      const untilMs = Date.now() + (outcome.retryAfterSeconds ?? 1) * 1_000
      coolDowns.send({ provider, outcome, untilMs }, { retain: { key: provider, untilMs } })
    },
    /** The health check reaches one worker; what it finds holds for all. */
    sendDatabaseUnreachable: () => databaseUnreachable.send(undefined),
    deliverTo({
      nodeLimits,
      validation,
      invalidation,
    }: {
      nodeLimits: NodeLimits
      validation: Validation
      invalidation: { doubt(): void }
    }): void {
      databaseUnreachable.on(() => invalidation.doubt())
      callsCounted.on(({ limit, key, calls, endsAtMs }) => nodeLimits[limit].add(key, calls, endsAtMs))
      coolDowns.on(({ provider, outcome, untilMs }) => {
        const retryAfterSeconds = (untilMs - Date.now()) / 1_000
        if (retryAfterSeconds > 0) validation.coolDown(provider, { ...outcome, retryAfterSeconds })
      })
    },
  }
}
