import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { type Callers, createCallers } from './callers.ts'
import { countsOf } from './client.ts'
import { isWhole, seenOf } from './database-outages.ts'
import { type Load, startLoad } from './load.ts'
import type { Node } from './node.ts'
import { type Member, missingForPatroni, type PatroniCluster, startPatroniCluster } from './patroni-cluster.ts'
import { startRevocations } from './revocations.ts'
import type { Finding, Section, Stage } from './stage.ts'
import { until } from './wait.ts'

/** After the new leader is elected. */
const secondsMax = 15
/** How long an old leader that does not know that it was replaced may still be read. */
const staleSecondsMax = 5
const loadUsers = 10
const accountsOfEach = 24

const promised = `works again within ${secondsMax} s of the new leader; 0 acknowledged writes lost, 0 disabled accounts served ${staleSecondsMax} s later, no wrong 401, no short list`

interface Fault {
  readonly done: string
  /** Removes this server from the lead. */
  begin(leader: Member, cluster: PatroniCluster): Promise<void>
  /** Called when another server leads and the nodes work again. */
  end(leader: Member): Promise<void> | void
  /** The old leader resumes after another one leads. */
  readonly isThawedAtOnce?: boolean
}

/** The frozen server created the cluster: it is the first host of `DATABASE_URL`. */
const faults: readonly Fault[] = [
  {
    done: 'the leader is frozen (SIGSTOP of Patroni and PostgreSQL) until another leads; then its PostgreSQL continues until both are killed and restarted',
    begin: (leader) => leader.freeze('all'),
    end: (leader) => leader.thaw('all'),
    isThawedAtOnce: true,
  },
  { done: 'patronictl switchover', begin: (_, cluster) => cluster.switchover(), end: () => undefined },
  {
    done: 'the leader is killed (kill -9 of Patroni and PostgreSQL), and started again later',
    begin: (leader) => leader.kill(),
    end: (leader) => leader.start(),
  },
]

/** Patroni itself prevents this only with a watchdog. */
const hungPatroni: Fault = {
  done: 'Patroni of the leader is frozen, its PostgreSQL continues next to the new leader',
  begin: (leader) => leader.freeze('patroni'),
  async end(leader) {
    await setTimeout(2 * staleSecondsMax * 1_000)
    await leader.thaw('patroni')
  },
}

export const patroni: Section = { name: 'patroni', secondsMax: 400, run: (stage) => changeLeaders(stage, faults) }

export const patroniHung: Section = {
  name: 'patroni-hung',
  secondsMax: 200,
  run: (stage) => changeLeaders(stage, [hungPatroni]),
}

/** Two nodes on a cluster of three servers whose leader changes under load. */
async function changeLeaders(stage: Stage, chosen: readonly Fault[]): Promise<readonly Finding[]> {
  const missing = missingForPatroni()
  if (missing.length > 0)
    return [
      {
        done: 'the leader of a Patroni cluster changes',
        promised,
        seen: `not installed: ${missing.join(', ')}`,
        isKept: undefined,
      },
    ]
  const cluster = await startPatroniCluster(stage)
  const databaseUrl = await cluster.newDatabase()
  const nodes = [await stage.node({ databaseUrl }), await stage.node({ databaseUrl: reversed(databaseUrl) })]
  const callers = await createCallers(databaseUrl, loadUsers + chosen.length * accountsOfEach)
  const findings: Finding[] = []
  for (const [index, fault] of chosen.entries()) {
    const first = loadUsers + index * accountsOfEach
    const accounts = callers.users.slice(first, first + accountsOfEach)
    const scene = { cluster, databaseUrl, nodes, callers: { ...callers, users: callers.users.slice(0, loadUsers) } }
    const finding = await bringAbout(fault, scene, accounts).catch(
      (error: unknown): Finding => ({ done: fault.done, promised, seen: String(error), isKept: false }),
    )
    findings.push(finding)
    if (!finding.isKept) {
      console.log(await cluster.logs())
      break
    }
  }
  return findings
}

/** The same servers in the other order. */
function reversed(databaseUrl: string): string {
  return databaseUrl.replace(/@([^/]*)/, (_, hosts: string) => `@${hosts.split(',').reverse().join(',')}`)
}

interface Scene {
  readonly cluster: PatroniCluster
  readonly databaseUrl: string
  readonly nodes: readonly Node[]
  readonly callers: Callers
}

async function bringAbout(fault: Fault, scene: Scene, accounts: Callers['users']): Promise<Finding> {
  const { cluster, databaseUrl, nodes, callers } = scene
  const old = await cluster.whole()
  const urls = nodes.map(({ url }) => url)
  const loads = urls.map((url) => startLoad({ url, callers }))
  await Promise.all(loads.map((load) => load.recovered(20)))
  const revocations = await startRevocations({ urls, admin: callers.admin, accounts, boundSeconds: staleSecondsMax })
  await until('the load runs', 30, () => loads.every((load) => writesOf(load) >= 50))

  const startedAt = performance.now()
  async function recovery() {
    const leader = await nextLeader(cluster, old)
    const leaderAt = performance.now()
    if (fault.isThawedAtOnce) await fault.end(old)
    await Promise.all(loads.map((load) => load.recovered(60)))
    const seconds = (performance.now() - leaderAt) / 1_000
    await until('accounts are disabled on the new leader', 30, () => revocations.since(leaderAt) >= 4)
    return { leader, leaderlessMs: leaderAt - startedAt, seconds }
  }
  // patronictl exits when the other servers have followed.
  const [{ leader, leaderlessMs, seconds }] = await Promise.all([recovery(), fault.begin(old, cluster)])
  if (!fault.isThawedAtOnce) await fault.end(old)
  const revoked = await revocations.stop()
  const leaderUrl = leader.urlOf(databaseUrl)
  const results = await Promise.all(loads.map((load) => load.stop(leaderUrl)))

  const { acknowledged, servedSeconds, wrong, servedStill } = revoked
  const lost = acknowledged.length - (await disabledOf(leaderUrl, acknowledged))
  const isKept =
    results.every(isWhole) &&
    seconds <= secondsMax &&
    nodes.every((node) => node.isRunning()) &&
    acknowledged.length > 0 &&
    lost + wrong.length + servedStill === 0 &&
    servedSeconds <= staleSecondsMax
  const seen = [
    `another led after ${(leaderlessMs / 1_000).toFixed(1)} s, both nodes work ${seconds.toFixed(1)} s later`,
    ...results.map(seenOf),
    `${lost} of ${acknowledged.length} disablings lost, served up to ${servedSeconds.toFixed(1)} s after, ${servedStill} still served`,
    ...(wrong.length > 0 ? [`wrong ${countsOf(wrong)}`] : []),
  ].join('; ')
  return { done: fault.done, promised, seen, isKept }
}

function writesOf(load: Load): number {
  return load.since(0).filter(({ outcome }) => outcome === '201').length
}

async function nextLeader(cluster: PatroniCluster, old: Member): Promise<Member> {
  let found: Member | undefined
  await until('another server leads', 90, async () => {
    found = await cluster.leader(old)
    return found !== undefined
  })
  if (!found) throw new Error('there is no leader')
  return found
}

async function disabledOf(databaseUrl: string, ids: readonly string[]): Promise<number> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    const text = 'select 1 from account where id = any($1) and disabled_at is not null'
    return (await client.query(text, [ids])).rowCount ?? 0
  } finally {
    await client.end()
  }
}
