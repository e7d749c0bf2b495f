import type { Config } from '../../src/config.ts'
import { type CheckResult, resultsOf } from './check-result.ts'

/** The service speaks plain HTTP, so where callers reach it by https there is a proxy, whose clients it must be able to distinguish. */
export function* checkProxies({ publicUrl, trustedProxies }: Config): Generator<CheckResult, void, void> {
  if (!publicUrl.startsWith('https:') || trustedProxies.length > 0) return
  yield resultsOf('proxies').warn(
    'MUSTER_PUBLIC_URL is https, so that a proxy forwards the requests, and MUSTER_TRUSTED_PROXIES names none: all clients have the address of the proxy, and attempts to sign in are not limited by network. Name it there.',
  )
}
