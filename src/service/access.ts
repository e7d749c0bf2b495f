import type { Config } from '../config.ts'
import { createAuthenticate } from '../identity/authenticate.ts'
import type { Access } from '../identity/gate.ts'
import { type Issuers, openIssuers } from '../identity/issuers/open-issuers.ts'
import type { Issuer } from '../identity/issuers/verify-token.ts'
import type { Clock } from '../platform/clock.ts'
import { createNodeLimit, type NodeLimits } from '../platform/rate-limit/rate-limits.ts'
import { createMetricsTokenCheck } from '../status/metrics-token.ts'
import type { Opening } from './opening.ts'

export interface OpenAccess extends Access {
  readonly issuers: Issuers
}

/** Which tokens are accepted, and the limits of callers. */
export async function openAccess(
  { config, database, log, now }: Opening,
  builtIn: Issuer | undefined,
): Promise<OpenAccess> {
  const nodeLimits = openNodeLimits(config, now)
  const newAccounts = nodeLimits['new-accounts']
  const issuers = await openIssuers(config.issuers, {
    builtIn,
    newAccounts,
    database,
    proxies: config.outgoingProxies,
    now,
    log,
  })
  return {
    database,
    issuers,
    authenticate: createAuthenticate(issuers.byName, now),
    checkMetricsToken: createMetricsTokenCheck(config.metricsToken),
    nodeLimits,
  }
}

function openNodeLimits({ limits }: Config, now: Clock): NodeLimits {
  const limit = (name: keyof NodeLimits, quota: number) => createNodeLimit(name, { quota, windowSeconds: 60 }, now)
  return {
    reads: limit('reads', limits.readsPerMinute),
    writes: limit('writes', limits.writesPerMinute),
    'new-accounts': limit('new-accounts', limits.newAccountsPerMinute),
  }
}
