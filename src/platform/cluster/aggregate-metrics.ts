import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Peers } from './peers.ts'

interface Request {
  readonly request: number
  readonly from: number
}

interface Response {
  readonly request: number
  readonly metrics: readonly object[]
}

/** Collecting takes milliseconds; a peer that is being replaced never responds. */
const responseTimeoutMs = 1_000

/** Shares this worker's registry with its peers. Returns what reads the metrics of all workers as one text, without peers that do not respond in time. */
export function aggregateMetrics(peers: Peers, registry: Registry): () => Promise<string> {
  const requests = peers.topic<Request>('metrics-request')
  const responses = peers.topic<Response>('metrics-response')
  const pending = new Map<number, (metrics: readonly object[]) => void>()
  let lastRequest = 0

  requests.on(({ request, from }) => {
    void registry.getMetricsAsJSON().then((metrics) => responses.send({ request, metrics }, { to: from }))
  })
  responses.on(({ request, metrics }) => pending.get(request)?.(metrics))

  function collectFromPeers(): Promise<readonly (readonly object[])[]> {
    lastRequest += 1
    const request = lastRequest
    return new Promise((resolve) => {
      const collected: (readonly object[])[] = []
      const finish = () => {
        clearTimeout(timer)
        pending.delete(request)
        resolve(collected)
      }
      const timer = setTimeout(finish, responseTimeoutMs)
      pending.set(request, (metrics) => {
        if (collected.push(metrics) === peers.count - 1) finish()
      })
      requests.send({ request, from: peers.workerId })
    })
  }

  return async () => {
    const [own, others] = await Promise.all([registry.getMetricsAsJSON(), collectFromPeers()])
    return AggregatorRegistry.aggregate([own, ...others]).metrics()
  }
}
