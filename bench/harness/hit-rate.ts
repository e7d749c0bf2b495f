import { createResponseCache, type LoadedBody } from '../../src/user-data/cache.ts'

/** Nodes that share one stream of changes. Times in seconds; requests go to any node by chance. */
export interface Fleet {
  readonly nodes: number
  readonly users: number
  /** Requests of one user, over all nodes. */
  readonly requestsPerSecond: number
  /** Changes, each of one user, over all users: each node is told of every one. */
  readonly writesPerSecond: number
  /** From asking the database to keeping the answer. */
  readonly fillSeconds: number
}

const keptSeconds = 600

/**
 * The expected share of warm answers, where requests and changes come by chance (Poisson). A kept answer lives until its user changes
 * or `keptSeconds` are over, whichever is first. A fill is not kept where a notice about its user arrives while it runs, so that
 * e^(changes of the user × fill) of them are needed for one that is.
 */
export function expectedHitRate({ nodes, users, requestsPerSecond, writesPerSecond, fillSeconds }: Fleet): number {
  const asked = requestsPerSecond / nodes
  const changed = writesPerSecond / users
  const lifeSeconds = changed === 0 ? keptSeconds : (1 - Math.exp(-changed * keptSeconds)) / changed
  const fillsForOne = Math.exp(changed * fillSeconds)
  return (asked * lifeSeconds) / (fillsForOne + asked * lifeSeconds)
}

/** The same, played through with the service's own memory of answers on a clock of its own. The first `keptSeconds` do not count. */
export async function playedHitRate(fleet: Fleet, seconds: number): Promise<number> {
  let nowMs = 0
  const memories = Array.from({ length: fleet.nodes }, () =>
    createResponseCache({ bytesMax: 2 ** 30, now: () => nowMs }),
  )
  for (const memory of memories) memory.setConnected(true)
  const fills: { endsAtMs: number; end: () => Promise<unknown> }[] = []
  const tally = { hits: 0, requests: 0 }
  const requestRate = fleet.users * fleet.requestsPerSecond
  const endMs = (keptSeconds + seconds) * 1_000
  for (;;) {
    nowMs += (-Math.log(1 - Math.random()) * 1_000) / (requestRate + fleet.writesPerSecond)
    while (fills[0] && fills[0].endsAtMs <= nowMs) await fills.shift()?.end()
    if (nowMs > endMs) return tally.hits / tally.requests
    const user = String(Math.floor(Math.random() * fleet.users))
    if (Math.random() * (requestRate + fleet.writesPerSecond) < fleet.writesPerSecond)
      for (const memory of memories) memory.invalidate(`account:${user}`)
    else ask(user)
  }

  function ask(user: string): void {
    const memory = memories[Math.floor(Math.random() * fleet.nodes)]
    const isHit = memory?.get(user) !== undefined
    if (nowMs > keptSeconds * 1_000) {
      tally.requests += 1
      if (isHit) tally.hits += 1
    }
    if (!memory || isHit) return
    let resolve: (fresh: LoadedBody) => void = () => undefined
    const read = new Promise<LoadedBody>((resolved) => {
      resolve = resolved
    })
    const kept = memory.getOrLoad(user, () => read)
    const end = () => {
      resolve({ body: '{}', accountId: user, expiresAtMs: Number.POSITIVE_INFINITY })
      return kept
    }
    fills.push({ endsAtMs: nowMs + fleet.fillSeconds * 1_000, end })
  }
}
