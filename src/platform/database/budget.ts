import type { DatabaseLimits } from './limits.ts'
import type { ConnectionFacts } from './server-facts.ts'

/** How many connections this node wants, and how many the server has. */
export interface ConnectionBudget {
  /** Maximum number of connections that this node opens. */
  readonly wanted: number
  /** Connections that this node can open now. */
  readonly available: number
  /** Connections that remain for others once this node has opened all of its own. */
  readonly left: number
  /** The limits of this node, reduced if `available` is less than `wanted`. */
  readonly limits: DatabaseLimits
  readonly isShort: boolean
}

/** Short-lived connections outside the pools: a probe, a migration or the billing reconciliation. */
export const connectionsOutsidePools = 1

/** Minimum pool sizes: with fewer connections, no list could be streamed while another request runs. */
const poolMinimums = { connectionsMax: 2, sideConnectionsMax: 1, streamsMax: 1 } as const

/** Compares current usage with the limits. Does not know which connections others may still open. */
export function connectionBudget(facts: ConnectionFacts, limits: DatabaseLimits): ConnectionBudget {
  const wanted = poolConnections(limits) + connectionsOutsidePools
  const available = Math.max(
    0,
    Math.min(
      facts.max - facts.reserved - facts.used,
      (facts.roleLimit ?? Number.POSITIVE_INFINITY) - facts.roleUsed,
      (facts.databaseLimit ?? Number.POSITIVE_INFINITY) - facts.databaseUsed,
    ),
  )
  const isShort = available < wanted
  const fitted = isShort ? shrink(limits, available - connectionsOutsidePools) : limits
  const taken = poolConnections(fitted) + connectionsOutsidePools
  return { wanted, available, left: Math.max(0, available - taken), limits: fitted, isShort }
}

function poolConnections({ connectionsMax, sideConnectionsMax, streamsMax }: DatabaseLimits): number {
  return connectionsMax + sideConnectionsMax + streamsMax
}

function shrink(limits: DatabaseLimits, connections: number): DatabaseLimits {
  const share = (wanted: number) => Math.floor((Math.max(0, connections) * wanted) / poolConnections(limits))
  const sideConnectionsMax = Math.max(poolMinimums.sideConnectionsMax, share(limits.sideConnectionsMax))
  const streamsMax = Math.max(poolMinimums.streamsMax, share(limits.streamsMax))
  const rest = connections - sideConnectionsMax - streamsMax
  const connectionsMax = Math.max(poolMinimums.connectionsMax, Math.min(limits.connectionsMax, rest))
  // No idle timeout: another client could take a closed connection.
  return { ...limits, connectionsMax, sideConnectionsMax, streamsMax, idleTimeoutMs: 0 }
}
