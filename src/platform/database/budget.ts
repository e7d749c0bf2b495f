import type { DatabaseLimits } from './limits.ts'
import type { ConnectionFacts } from './server-facts.ts'

/** The connections that the server has, and those that this node wants. */
export interface ConnectionBudget {
  /** What this node opens at most. */
  readonly wanted: number
  /** What the server can give to this node now. */
  readonly available: number
  /** What remains for others when this node has opened all of its connections. */
  readonly left: number
  /** The limits of this node, made smaller where the server cannot give what is wanted. */
  readonly limits: DatabaseLimits
  readonly isShort: boolean
}

/** Beside the pools, for a moment: a probe, a migration (and its lock, before requests come), the reconciliation with a payment processor. */
export const connectionsApart = 1

/** Pools never get smaller: with less no list could be read while a request runs. */
const smallest = { connectionsMax: 2, sideConnectionsMax: 1, streamsMax: 1 } as const

/** Connections that others may still open are not known. */
export function connectionBudget(facts: ConnectionFacts, limits: DatabaseLimits): ConnectionBudget {
  const wanted = poolsOf(limits) + connectionsApart
  const available = Math.max(
    0,
    Math.min(
      facts.max - facts.reserved - facts.used,
      (facts.roleLimit ?? Number.POSITIVE_INFINITY) - facts.roleUsed,
      (facts.databaseLimit ?? Number.POSITIVE_INFINITY) - facts.databaseUsed,
    ),
  )
  const isShort = available < wanted
  const fitted = isShort ? shrink(limits, available - connectionsApart) : limits
  const taken = poolsOf(fitted) + connectionsApart
  return { wanted, available, left: Math.max(0, available - taken), limits: fitted, isShort }
}

function poolsOf({ connectionsMax, sideConnectionsMax, streamsMax }: DatabaseLimits): number {
  return connectionsMax + sideConnectionsMax + streamsMax
}

function shrink(limits: DatabaseLimits, connections: number): DatabaseLimits {
  const share = (wanted: number) => Math.floor((Math.max(0, connections) * wanted) / poolsOf(limits))
  const sideConnectionsMax = Math.max(smallest.sideConnectionsMax, share(limits.sideConnectionsMax))
  const streamsMax = Math.max(smallest.streamsMax, share(limits.streamsMax))
  const rest = connections - sideConnectionsMax - streamsMax
  const connectionsMax = Math.max(smallest.connectionsMax, Math.min(limits.connectionsMax, rest))
  // A connection that is given back may be gone for good.
  return { ...limits, connectionsMax, sideConnectionsMax, streamsMax, idleTimeoutMs: 0 }
}
