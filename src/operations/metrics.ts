import { metricsContract } from '../contract/metrics.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { type Operation, operation } from '../server/operation.ts'

export function metrics({ registry, text }: Metrics): Operation {
  return operation(metricsContract, async ({ reply }) => {
    reply.type(registry.contentType).header('cache-control', 'no-store')
    return text()
  })
}
