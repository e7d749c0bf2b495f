import { createResponseCache, type LoadedBody } from '../../src/user-data/cache.ts'

/** Nodes that receive one stream of changes. Times in seconds; each request goes to a random node. */
export interface Fleet {
  readonly nodes: number
  readonly users: number
  /** Requests of one user, over all nodes. */
  readonly requestsPerSecond: number
  /** Changes, each of one user, over all users. Every node receives an event for each. */
  readonly writesPerSecond: number
  /** From the query to the entry in the cache. */
  readonly loadSeconds: number
}

const entrySeconds = 600

/**
 * The expected hit rate, where requests and changes arrive at random (Poisson). An entry lives until its user changes or `entrySeconds`
 * are over, whichever is first. The cache drops a load when an event about its user arrives while it runs, so that one entry takes
 * e^(changes of the user × load) loads.
 */
export function expectedHitRate({ nodes, users, requestsPerSecond, writesPerSecond, loadSeconds }: Fleet): number {
  const asked = requestsPerSecond / nodes
  const changed = writesPerSecond / users
  const lifeSeconds = changed === 0 ? entrySeconds : (1 - Math.exp(-changed * entrySeconds)) / changed
  const loadsForOne = Math.exp(changed * loadSeconds)
  return (asked * lifeSeconds) / (loadsForOne + asked * lifeSeconds)
}

/** The same, simulated with the service's own response cache on a clock of its own. The first `entrySeconds` do not count. */
export async function simulatedHitRate(fleet: Fleet, seconds: number): Promise<number> {
  let nowMs = 0
  const caches = Array.from({ length: fleet.nodes }, () =>
    createResponseCache({ bytesMax: 2 ** 30, now: () => nowMs, isProven: () => true }),
  )
  for (const cache of caches) cache.setConnected(true)
  const loads: { endsAtMs: number; end: () => Promise<unknown> }[] = []
  const tally = { hits: 0, requests: 0 }
  const requestRate = fleet.users * fleet.requestsPerSecond
  const endMs = (entrySeconds + seconds) * 1_000
  for (;;) {
    nowMs += (-Math.log(1 - Math.random()) * 1_000) / (requestRate + fleet.writesPerSecond)
    while (loads[0] && loads[0].endsAtMs <= nowMs) await loads.shift()?.end()
    if (nowMs > endMs) return tally.hits / tally.requests
    const user = String(Math.floor(Math.random() * fleet.users))
    if (Math.random() * (requestRate + fleet.writesPerSecond) < fleet.writesPerSecond)
      for (const cache of caches) cache.invalidate(`account:${user}`)
    else ask(user)
  }

  function ask(user: string): void {
    const cache = caches[Math.floor(Math.random() * fleet.nodes)]
    const isHit = cache?.get(user) !== undefined
    if (nowMs > entrySeconds * 1_000) {
      tally.requests += 1
      if (isHit) tally.hits += 1
    }
    if (!cache || isHit) return
    let resolve: (fresh: LoadedBody) => void = () => undefined
    const read = new Promise<LoadedBody>((resolved) => {
      resolve = resolved
    })
    const entry = cache.getOrLoad(user, () => read)
    const end = () => {
      resolve({ body: '{}', accountId: user, expiresAtMs: Number.POSITIVE_INFINITY })
      return entry
    }
    loads.push({ endsAtMs: nowMs + fleet.loadSeconds * 1_000, end })
  }
}
