import { type Operation, operation } from '../identity/operation.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { metricsContract } from './metrics-contract.ts'

export function metrics({ registry, text }: Metrics): Operation<typeof metricsContract> {
  return operation(metricsContract, async ({ reply }) => {
    reply.type(registry.contentType).header('cache-control', 'no-store')
    return text()
  })
}
