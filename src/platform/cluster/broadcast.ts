import type { Validation } from '../../key-checks/engine/check.ts'
import type { Undetermined } from '../../key-checks/engine/provider.ts'
import type { ReadLimit, SharedReads } from '../rate-limit/read-limit.ts'
import type { Message } from './messages.ts'
import type { Siblings } from './peers.ts'

export function readsOf({ count, tell }: Siblings): SharedReads {
  return { workers: count, tell: (key, reads, endsAtMs) => tell({ muster: 'reads', key, reads, endsAtMs }) }
}

/** During a lock-out no worker may ask: the provider would prolong it. */
export function quietTeller({ tell }: Siblings) {
  return (provider: string, outcome: Undetermined) => {
    const untilMs = Date.now() + (outcome.retryAfterSeconds ?? 1) * 1_000
    tell({ muster: 'quiet', provider, outcome, untilMs })
  }
}

/** Takes in what siblings tell. */
export function newsReader(readLimit: ReadLimit, validation: Validation) {
  return (message: Message) => {
    if (message.muster === 'reads') readLimit.heard(message.key, message.reads, message.endsAtMs)
    if (message.muster !== 'quiet') return
    const retryAfterSeconds = (message.untilMs - Date.now()) / 1_000
    if (retryAfterSeconds > 0) validation.quiet(message.provider, { ...message.outcome, retryAfterSeconds })
  }
}
