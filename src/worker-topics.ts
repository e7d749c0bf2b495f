import type { Validation } from './key-checks/engine/check.ts'
import type { Undetermined } from './key-checks/engine/provider.ts'
import type { Peers } from './platform/cluster/peers.ts'
import type { ReadLimit, SharedReads } from './platform/rate-limit/read-limit.ts'

/** What the workers of one node send each other, so that a limit of the node holds whichever worker a request reaches. */
export function openWorkerTopics(peers: Peers) {
  const readsCounted = peers.topic<{ key: string; reads: number; endsAtMs: number }>('reads-counted')
  const coolDowns = peers.topic<{ provider: string; outcome: Undetermined; untilMs: number }>('provider-cool-down')
  const sharedReads: SharedReads = {
    workers: peers.count,
    tell: (key, reads, endsAtMs) => readsCounted.send({ key, reads, endsAtMs }),
  }

  return {
    sharedReads,
    /** No worker may call during a cool-down: the provider would prolong it. A worker that starts later learns of it too. */
    sendCoolDown(provider: string, outcome: Undetermined): void {
      const untilMs = Date.now() + (outcome.retryAfterSeconds ?? 1) * 1_000
      coolDowns.send({ provider, outcome, untilMs }, { retain: { key: provider, untilMs } })
    },
    deliverTo({ readLimit, validation }: { readLimit: ReadLimit; validation: Validation }): void {
      readsCounted.on(({ key, reads, endsAtMs }) => readLimit.heard(key, reads, endsAtMs))
      coolDowns.on(({ provider, outcome, untilMs }) => {
        const retryAfterSeconds = (untilMs - Date.now()) / 1_000
        if (retryAfterSeconds > 0) validation.coolDown(provider, { ...outcome, retryAfterSeconds })
      })
    },
  }
}
