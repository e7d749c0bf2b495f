import { Agent } from 'undici'
import { createCallers } from './callers.ts'
import { ask, countsOf, outcomeOf } from './client.ts'
import type { Node } from './node.ts'
import { caddy, haproxy, isInstalled, nginx, type ReverseProxy, startProxy } from './proxies.ts'
import type { Finding, Section, Stage } from './stage.ts'
import { until } from './wait.ts'

export const rollingRestart: Section = {
  name: 'rolling-restart',
  secondsMax: 150,
  run: (stage) => restartInTurn(stage, haproxy),
}

/** The same behind the other proxies, each of which takes as long. */
export const otherRollingRestarts: readonly Section[] = [
  { name: 'rolling-restart-nginx', secondsMax: 150, run: (stage) => restartInTurn(stage, nginx) },
  { name: 'rolling-restart-caddy', secondsMax: 150, run: (stage) => restartInTurn(stage, caddy) },
]

const requestsMin = 10_000
const clients = 6
export const metricsToken = 'of-the-monitoring-of-this-section'

/** Behind the proxy with its file in deploy/proxies. */
async function restartInTurn(stage: Stage, proxy: ReverseProxy): Promise<readonly Finding[]> {
  const done = `two nodes behind ${proxy.title} restarted in turn, ${clients} clients on kept connections`
  const promised = `0 failed of ${requestsMin} requests or more`
  if (!isInstalled(proxy)) return [{ done, promised, seen: `${proxy.program} is not installed`, isKept: undefined }]
  const databaseUrl = await (await stage.postgres()).newDatabase()
  const start = (env = {}) => stage.node({ databaseUrl, env: { MUSTER_METRICS_TOKEN: metricsToken, ...env } })
  const nodes = [await start(), await start()]
  const { users } = await createCallers(databaseUrl, clients)
  const url = await startProxy(
    stage,
    proxy,
    nodes.map((node) => new URL(node.url).host),
  )
  await proxyServes(url)

  const dispatcher = new Agent()
  stage.onEnd(() => dispatcher.destroy())
  const outcomes: string[] = []
  let isDone = false
  const running = users.map(async ({ token }) => {
    while (!isDone || outcomes.length < requestsMin)
      outcomes.push(await outcomeOf(`${url}/api/v1/user/data`, { token, dispatcher }))
  })
  for (const node of nodes) await until('both nodes serve', 20, async () => (await servedBy(node)) >= 50)
  for (const node of nodes) {
    const before = outcomes.length
    await until('the load runs', 20, () => outcomes.length >= before + 500)
    await node.stop()
    const next = await start({ MUSTER_PORT: new URL(node.url).port })
    await until('the next node serves', 30, async () => (await servedBy(next)) >= 50)
  }
  isDone = true
  await Promise.all(running)
  const failed = outcomes.filter((outcome) => outcome !== '200')
  return [{ done, promised, seen: countsOf(outcomes), isKept: failed.length === 0 && outcomes.length >= requestsMin }]
}

export async function proxyServes(url: string): Promise<void> {
  const isUp = () =>
    ask(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
  await until('the proxy serves', 20, isUp)
}

/** The node's answers to callers, from its metrics. */
export async function servedBy({ url }: Node): Promise<number> {
  const { text } = await ask(`${url}/metrics`, { token: metricsToken })
  const line = /^muster_http_request_duration_seconds_count\{.*operation="getUserData".*status="200".*\} (\d+)$/m
  return Number(line.exec(text)?.[1] ?? 0)
}
