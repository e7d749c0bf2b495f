import type { Socket } from 'node:net'
import {
  KeyCheckError,
  type KeyChecksOptions,
  type Result,
  type Undetermined,
  type Verdict,
} from '../../key-check/index.ts'
import { type OutgoingProxy, type Proxies, proxyFor, type Target } from '../platform/outgoing/proxies.ts'
import { Problem } from '../platform/problems.ts'

/** The operator’s settings for providers. */
export interface ProviderSettings {
  readonly defaultId: string
  readonly baseUrls: ReadonlyMap<string, string>
  readonly outgoingAddresses: readonly string[]
  /** Whether a check may send the write of `prove`. */
  readonly proofs: boolean
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
  const { defaultId, baseUrls, outgoingAddresses, proofs, callsPerSecond, lockOutFailures, lockOutWindowSeconds } =
    providers
  return {
    defaultProvider: defaultId,
    listedBy: 'GET /api/v1/providers',
    outgoingAddresses,
    proofs,
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

/**
 * The verdict of a check. Throws the codes of an undetermined result, `input_invalid`, `provider_unsupported` and `shutting_down`. Rejects
 * with the signal's reason if it aborts.
 */
export async function verdictOf(check: Promise<Result>): Promise<Verdict> {
  const result = await check.catch((error: unknown) => {
    throw error instanceof KeyCheckError ? problemOf(error) : error
  })
  if (result.outcome === 'undetermined') throw undeterminedProblem(result)
  return result
}

function undeterminedProblem({ code, message, retryAfterSeconds }: Undetermined): Problem {
  return new Problem(code, { detail: message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) })
}

function problemOf({ code, message, faults }: KeyCheckError): Problem {
  if (code === 'closed') return new Problem('shutting_down')
  const errors = faults.map(({ at, detail }) => ({ pointer: at, detail }))
  return new Problem(code, { errors, ...(code === 'provider_unsupported' && { detail: message }) })
}
