import type { Socket } from 'node:net'
import type { KeyChecksOptions } from '../../key-check/index.ts'
import { type OutgoingProxy, type Proxies, proxyFor, type Target } from '../platform/outgoing/proxies.ts'

/** The operator’s settings for providers. */
export interface ProviderSettings {
  readonly defaultId: string
  readonly baseUrls: ReadonlyMap<string, string>
  readonly outgoingAddresses: readonly string[]
  /** 0: the provider’s own value. */
  readonly callsPerSecond: number
  /** 0: the provider’s own value. */
  readonly lockOutFailures: number
  /** 0: the provider’s own value. */
  readonly lockOutWindowSeconds: number
}

interface KeyCheckSettings {
  readonly providers: ProviderSettings
  readonly outgoingProxies: Proxies
}

/** The configured options of key checks, for the service and the command line. */
export function keyCheckOptions({ providers, outgoingProxies: proxies }: KeyCheckSettings): KeyChecksOptions {
  const { defaultId, baseUrls, outgoingAddresses, callsPerSecond, lockOutFailures, lockOutWindowSeconds } = providers
  return {
    defaultProvider: defaultId,
    listedBy: 'GET /api/v1/providers',
    outgoingAddresses,
    baseUrls: Object.fromEntries(baseUrls),
    tunnel: (target, timeoutMs) => {
      const proxy = proxyFor(proxies, target)
      return proxy && openTunnelLater(proxy, target, timeoutMs)
    },
    limits: {
      ...(callsPerSecond !== 0 && { callsPerSecondMax: callsPerSecond }),
      ...(lockOutFailures !== 0 && { lockOutFailures }),
      ...(lockOutWindowSeconds !== 0 && { lockOutWindowMs: lockOutWindowSeconds * 1_000 }),
    },
  }
}

/** Imports the HTTP client on the first call, like the key checks. */
async function openTunnelLater(proxy: OutgoingProxy, target: Target, timeoutMs: number): Promise<Socket> {
  const { openTunnel } = await import('../platform/outgoing/tunnel.ts')
  return openTunnel(proxy, target, timeoutMs)
}
