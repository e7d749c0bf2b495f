import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent } from 'undici'
import { packageRoot } from '../../src/platform/package-root.ts'
import { countsOf, outcomeOf } from './client.ts'
import { freePort } from './free-port.ts'
import { startHaproxy } from './haproxy.ts'
import { createPeople } from './people.ts'
import type { Finding, Section } from './section.ts'
import type { Stage } from './stage.ts'
import { until } from './wait.ts'

export const rollingRestart: Section = { name: 'rolling-restart', secondsMax: 150, run: restartInTurn }

const requestsMin = 10_000
const clients = 6

/** Behind HAProxy with the configuration of docs/monitoring.md. */
async function restartInTurn(stage: Stage): Promise<readonly Finding[]> {
  const done = `two nodes behind HAProxy restarted in turn, ${clients} clients on kept connections`
  const promised = `0 failed of ${requestsMin} requests or more`
  if (spawnSync('haproxy', ['-v']).status !== 0)
    return [{ done, promised, seen: 'haproxy is not installed', isKept: undefined }]
  const databaseUrl = await (await stage.postgres()).newDatabase()
  const nodes = [await stage.node({ databaseUrl }), await stage.node({ databaseUrl })]
  const { users } = await createPeople(databaseUrl, clients)
  const proxy = await startProxy(
    stage,
    nodes.map(({ url }) => new URL(url).host),
  )
  await until('both nodes are up', 20, async () => (await proxy.up()) === 2)

  const dispatcher = new Agent()
  stage.onEnd(() => dispatcher.destroy())
  const outcomes: string[] = []
  let isDone = false
  const running = users.map(async ({ token }) => {
    while (!isDone || outcomes.length < requestsMin)
      outcomes.push(await outcomeOf(`${proxy.url}/api/v1/user/data`, { token, dispatcher }))
  })
  for (const node of nodes) {
    const before = outcomes.length
    await until('the load runs', 20, () => outcomes.length >= before + 500)
    await node.stop()
    await stage.node({ databaseUrl, env: { MUSTER_PORT: new URL(node.url).port } })
    await until('both nodes are up', 20, async () => (await proxy.up()) === 2)
  }
  isDone = true
  await Promise.all(running)
  const failed = outcomes.filter((outcome) => outcome !== '200')
  return [{ done, promised, seen: countsOf(outcomes), isKept: failed.length === 0 && outcomes.length >= requestsMin }]
}

async function startProxy(stage: Stage, [a = '', b = '']: readonly string[]) {
  const port = await freePort()
  const backend = /```haproxy\n([^`]+)```/.exec(readFileSync(join(packageRoot(), 'docs/monitoring.md'), 'utf8'))?.[1]
  if (!backend) throw new Error('docs/monitoring.md has no configuration of HAProxy')
  const { up } = await startHaproxy(
    stage,
    `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend callers
  bind 127.0.0.1:${port}
  default_backend muster
${backend.replace('10.0.0.1:4600', a).replace('10.0.0.2:4600', b)}`,
  )
  return { url: `http://127.0.0.1:${port}`, up: () => up('muster') }
}
