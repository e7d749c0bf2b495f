import type { Logger } from 'pino'
import { errorCode } from '../../error-code.ts'
import { innermostCause } from '../faults.ts'
import type { PrimaryWatch } from './primary-watch.ts'
import type { ReplicaHost, ReplicaState, Verdict } from './replica-host.ts'
import type { WalPosition } from './wal-position.ts'

/** A replica, and what it has shown when it was last asked. */
export interface WatchedHost {
  readonly host: ReplicaHost
  state(): ReplicaState
  position(): WalPosition | undefined
  look(): Promise<void>
}

export function watchHost(host: ReplicaHost, log: Logger): WatchedHost {
  let last: Verdict = { state: 'behind', lagSeconds: Number.POSITIVE_INFINITY }
  let looks = 0
  let isKnown = false
  let looking: Promise<Verdict> | undefined

  function take(next: Verdict): void {
    const was = last.state
    last = { ...next, ...(next.position === undefined && last.position && { position: last.position }) }
    looks += 1
    // What was written on the primary a moment before the first look may be on its way.
    if (isKnown ? next.state === was : looks === 1 && next.state === 'behind') return
    const { state, lagSeconds } = next
    const line = { replica: host.name, state, ...(Number.isFinite(lagSeconds) && { lagSeconds }) }
    if (state === 'up') log.info(line, 'lists are read on this replica')
    else log.warn({ ...line, cause: causeOf(host.database.health()) }, sentences[state])
    isKnown = true
  }

  return {
    host,
    state: () => last.state,
    position: () => last.position,
    async look() {
      looking ??= host.look().finally(() => {
        looking = undefined
      })
      const found = await within(looking, lookMaxMs)
      take(found ?? { state: 'unreachable', lagSeconds: Number.POSITIVE_INFINITY })
    },
  }
}

/** A replica that is frozen keeps its connections. */
const lookMaxMs = 1_000

const sentences = {
  behind: 'lists are not read on this replica: it is behind the primary',
  unreachable: 'lists are not read on this replica: it does not answer',
  promoted: 'lists are not read on this replica: it is no standby, it accepts writes itself',
  other_database: 'lists are not read on this replica: what this node has written on the primary is not there',
} as const satisfies Record<Exclude<ReplicaState, 'up'>, string>

/** Where the primary does not answer, the proofs of the replicas grow old; the first time is a line of the log. */
export function loggedLook(primary: PrimaryWatch, log: Logger): () => Promise<void> {
  let isSilent = false
  return async () => {
    try {
      await within(primary.look(), lookMaxMs)
      isSilent = false
    } catch (error) {
      if (!isSilent) log.warn({ cause: causeOf({ cause: error }) }, silentSentence)
      isSilent = true
    }
  }
}

const silentSentence = 'the primary does not say where its log ends: soon no list is read on a replica'

/** A code, or that of what is behind a problem. */
export function causeOf({ cause }: { readonly cause?: unknown }): string | undefined {
  return errorCode(innermostCause(cause))
}

async function within<T>(work: Promise<T>, timeMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeMs, undefined).unref()
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
