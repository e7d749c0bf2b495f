import { buildConnector, Pool } from 'undici'

import type { AddressRule } from './addresses.ts'
import { addressRefused, addressRule, guardedLookup, readAddress } from './addresses.ts'
import type { Limits } from './limits.ts'

/** Connections to one origin, and to no address that the rule refuses. Loaded with the first call to a provider. */
export function openGuardedPool(base: URL, isConfigured: boolean, limits: Limits): Pool {
  const isAllowed = addressRule(base.hostname, isConfigured)
  return new Pool(base.origin, {
    connections: limits.connectionsMax,
    pipelining: 1,
    allowH2: false,
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    maxResponseSize: limits.answerBytesMax,
    maxHeaderSize: limits.headerBytesMax,
    connect: guardedConnector(isAllowed, limits.connectTimeoutMs),
  })
}

/** Exported for its test: the lookup and the check of the real address are two nets, and each must hold alone. */
export function guardedConnector(isAllowed: AddressRule, timeout: number): buildConnector.connector {
  const connect = buildConnector({ timeout, lookup: guardedLookup(isAllowed) })
  return (options, done) => {
    // The lookup is not called for literal addresses, so these are checked apart.
    if (readAddress(options.hostname) && !isAllowed(options.hostname)) return done(addressRefused(), null)
    connect(options, (...result) => {
      const [error, socket] = result
      if (error) return done(error, null)
      if (socket.remoteAddress !== undefined && isAllowed(socket.remoteAddress)) return done(null, socket)
      socket.destroy()
      done(addressRefused(), null)
    })
  }
}
