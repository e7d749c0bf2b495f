import type { FastifyInstance } from 'fastify'

export interface UntrustedProxies {
  /** A request came through a proxy that is not trusted, from this address. */
  forwarded(address: string): void
}

/** Counts requests of proxies that are not in MUSTER_TRUSTED_PROXIES, and warns of them every hour. */
export function watchUntrustedProxies({
  log,
  count,
  elapsedMs = () => performance.now(),
}: {
  readonly log: { warn(facts: object, message: string): void }
  readonly count: () => void
  readonly elapsedMs?: () => number
}): UntrustedProxies {
  let lastMs = Number.NEGATIVE_INFINITY
  return {
    forwarded(address) {
      count()
      if (elapsedMs() - lastMs < hourMs) return
      lastMs = elapsedMs()
      log.warn(
        { proxy: address },
        'a proxy forwards requests and is not trusted: all of its clients have its address, and attempts to sign in are not limited by network. Name it in MUSTER_TRUSTED_PROXIES',
      )
    },
  }
}

const hourMs = 3_600_000

export function reportUntrustedProxies(app: FastifyInstance, { forwarded }: UntrustedProxies): void {
  app.addHook('onRequest', ({ client }, _reply, done) => {
    if (client.isShared) forwarded(client.address)
    done()
  })
}
