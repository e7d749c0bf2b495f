import { Counter, type Registry } from '@prometheus-io/client'
import type { LimitLog } from '../limit-log.ts'

/** `limits` are counted from zero, so that the first time they are reached is an increase. */
export function registerLimits(registry: Registry, log: LimitLog, limits: readonly string[]): void {
  new Counter({
    name: 'muster_limit_reached_total',
    help: 'How often a limit of the node was reached.',
    labelNames: ['limit'],
    registers: [registry],
    collect() {
      this.reset()
      for (const limit of limits) this.inc({ limit }, 0)
      for (const [limit, count] of log.counts()) this.inc({ limit }, count)
    },
  })
}
