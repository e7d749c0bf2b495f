/**
 * Starts three PostgreSQL servers under Patroni, HAProxy and two nodes on this machine, with the files of deploy/ha. docs/scaling.md says
 * what to try. Run: `deploy/ha/up.sh`. Ctrl-C stops and removes everything.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../src/platform/package-root.ts'
import { freePort } from '../test/support/free-port.ts'
import { createCallers } from './faults/callers.ts'
import { ask } from './faults/client.ts'
import type { Node } from './faults/node.ts'
import { type Member, missingForPatroni, type PatroniCluster, startPatroniCluster } from './faults/patroni-cluster.ts'
import { openStage, type Stage } from './faults/stage.ts'
import { until } from './faults/wait.ts'

const missing = [...missingForPatroni(), ...(spawnSync('haproxy', ['-v']).status === 0 ? [] : ['haproxy'])]
if (missing.length > 0) {
  console.error(
    `Not installed: ${missing.join(', ')}. On Debian: apt-get install patroni etcd-server postgresql haproxy`,
  )
  process.exit(2)
}
const stopping = Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)))
const stage = await openStage()
try {
  await Promise.race([show(stage), stopping])
  await stopping
} finally {
  console.log('Stopping, and removing everything …')
  await stage.close()
}
process.exit(0)

async function show(stage: Stage): Promise<void> {
  console.log('Starting etcd and three servers under Patroni, which takes half a minute …')
  const cluster = await startPatroniCluster(stage)
  const databaseUrl = await cluster.newDatabase()
  const nodes = [await stage.node({ databaseUrl }), await stage.node({ databaseUrl })]
  const proxy = await startProxy(cluster, nodes)
  const { admin } = await createCallers(databaseUrl, 3)
  console.log(`
Muster, through HAProxy   ${proxy.callers}
its nodes                 ${nodes.map(({ url }) => url).join('  ')}
PostgreSQL                ${cluster.members.map(({ name, host }) => `${name} ${host}`).join('  ')}
the primary, by HAProxy   ${proxy.primary}
Patroni                   patronictl -c ${cluster.settingsPath} list

An administrator's token:

  TOKEN=${admin.token}
  curl -i -H "Authorization: Bearer $TOKEN" ${proxy.callers}/api/v1/admin/users/fetch
  curl -i -H "Authorization: Bearer $TOKEN" ${proxy.callers}/api/v1/user/data

Change the leader while you call:

  patronictl -c ${cluster.settingsPath} switchover muster --force

Ctrl-C ends and removes everything.`)
}

/** With this machine's addresses instead of those in the file. */
async function startProxy({ members }: PatroniCluster, nodes: readonly Node[]) {
  const [callers, primary, replicas] = [await freePort(), await freePort(), await freePort()]
  const text = readFileSync(join(packageRoot(), 'deploy/ha/haproxy.cfg'), 'utf8')
  const inPlace = new Map([
    ['*:8080', `127.0.0.1:${callers}`],
    ['*:5000', `127.0.0.1:${primary}`],
    ['*:5001', `127.0.0.1:${replicas}`],
    ...nodes.map(({ url }, index): [string, string] => [`10.0.0.1${index + 1}:4600`, new URL(url).host]),
    ...members.map((member, index): [string, string] => [`10.0.0.${index + 1}:5432`, checked(member)]),
  ])
  const configuration = [...inPlace].reduce((all, [from, to]) => all.replaceAll(from, to), text)
  // Each server has its Patroni interface on a separate port.
  const { up } = await startHaproxy(stage, configuration.replaceAll(' check port 8008', ' check'))
  await until('HAProxy finds both nodes, the primary and two replicas', 60, async () => {
    const found = await Promise.all(['muster', 'postgres_primary', 'postgres_replicas'].map(up))
    return found.join() === '2,1,2'
  })
  return { callers: `http://127.0.0.1:${callers}`, primary: `127.0.0.1:${primary}` }
}

function checked({ host, api }: Member): string {
  return `${host} port ${new URL(`http://${api}`).port}`
}

/** HAProxy, until the stage is closed. */
interface Haproxy {
  /** The servers in use of a backend or listener. */
  up(backend: string): Promise<number>
}

/** Started with this configuration, and with a status page on a separate port. */
async function startHaproxy(stage: Stage, configuration: string): Promise<Haproxy> {
  const statusPort = await freePort()
  const path = join(stage.folder, 'haproxy.cfg')
  const status = `frontend status\n  bind 127.0.0.1:${statusPort}\n  stats enable\n  stats uri /\n`
  await writeFile(path, `${configuration.trimEnd()}\n\n${status}`)
  const child = spawn('haproxy', ['-f', path, '-db'], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  stage.onEnd(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return {
    async up(backend) {
      const answer = await ask(`http://127.0.0.1:${statusPort}/;csv`).catch(() => undefined)
      const lines = answer?.text.split('\n') ?? []
      return lines.filter(
        (line) => /,(FRONTEND|BACKEND),/.exec(line) === null && line.startsWith(`${backend},`) && line.includes(',UP,'),
      ).length
    },
  }
}
