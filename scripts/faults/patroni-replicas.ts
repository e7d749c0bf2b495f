import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { ask, countsOf } from './client.ts'
import { isWhole, seenOf } from './database-outages.ts'
import { startLoad } from './load.ts'
import type { Node } from './node.ts'
import { type Member, missingForPatroni, type PatroniCluster, startPatroniCluster } from './patroni-cluster.ts'
import { createPeople, type People, type Person } from './people.ts'
import type { Finding, Section } from './section.ts'
import { sendSignal } from './send-signal.ts'
import type { Stage } from './stage.ts'
import { until } from './wait.ts'

/** Longer than `ttl` of the cluster, after which a leader without etcd would give up. */
const withoutEtcdSeconds = 30
/** Without a leader it would be some `ttl`. */
const gapSecondsMax = 5
/** `MUSTER_REPLICA_LAG_SECONDS` */
const lagSeconds = 5
const pausedSeconds = 15
const usedAgainSeconds = 15

export const etcdLost: Section = { name: 'etcd-lost', secondsMax: 200, run: loseEtcd }
export const replicaLagging: Section = { name: 'replica-lagging', secondsMax: 240, run: pauseReplicas }

interface Scene {
  readonly cluster: PatroniCluster
  readonly databaseUrl: string
  readonly nodes: readonly Node[]
  readonly people: People
}

/** Two nodes on three servers, which read lists on the standbys. */
async function openScene(stage: Stage, users: number): Promise<Scene> {
  const cluster = await startPatroniCluster(stage)
  const databaseUrl = await cluster.newDatabase()
  const env = { MUSTER_REPLICA_URL: databaseUrl.replace(/\?.*/, ''), MUSTER_REPLICA_LAG_SECONDS: String(lagSeconds) }
  const nodes = [await stage.node({ databaseUrl, env }), await stage.node({ databaseUrl, env })]
  return { cluster, databaseUrl, nodes, people: await createPeople(databaseUrl, users) }
}

function notTried({ done, promised }: Pick<Finding, 'done' | 'promised'>): readonly Finding[] | undefined {
  const missing = missingForPatroni()
  if (missing.length === 0) return undefined
  return [{ done, promised, seen: `not installed: ${missing.join(', ')}`, isKept: undefined }]
}

async function loseEtcd(stage: Stage): Promise<readonly Finding[]> {
  const done = `etcd is killed, and started again after ${withoutEtcdSeconds} s`
  const promised = `the leader stays (failsafe_mode), never ${gapSecondsMax} s without a write that succeeds, 0 acknowledged writes lost`
  const skipped = notTried({ done, promised })
  if (skipped) return skipped
  const { cluster, databaseUrl, nodes, people } = await openScene(stage, 10)
  const leader = await cluster.whole()
  const loads = nodes.map(({ url }) => startLoad({ url, people }))
  await Promise.all(loads.map((load) => load.recovered(20)))
  const lostAt = performance.now()
  await cluster.etcd(false)
  await setTimeout(withoutEtcdSeconds * 1_000)
  await cluster.etcd(true)
  await until('the cluster is whole again', 60, async () => (await cluster.whole()).name === leader.name)
  const answers = loads.flatMap((load) => load.since(lostAt))
  const writtenAt = answers.flatMap(({ outcome, atMs }) => (outcome === '201' ? [atMs] : [])).sort((a, b) => a - b)
  const gaps = [...writtenAt, performance.now()].map((atMs, index) => atMs - (writtenAt[index - 1] ?? lostAt))
  const gapSeconds = Math.max(...gaps) / 1_000
  const results = await Promise.all(loads.map((load) => load.stop(leader.urlOf(databaseUrl))))
  const outcomes = countsOf(answers.map(({ outcome }) => outcome))
  const longest = `at most ${gapSeconds.toFixed(1)} s without a write`
  const seen = [outcomes, longest, ...results.map(seenOf), `${leader.name} leads still`].join('; ')
  return [{ done, promised, seen, isKept: gapSeconds < gapSecondsMax && results.every(isWhole) }]
}

async function pauseReplicas(stage: Stage): Promise<readonly Finding[]> {
  const promised = `no list lacks a change that was confirmed ${lagSeconds} s before, nor one of the caller; a replica is read again within ${usedAgainSeconds} s after`
  const doneOf = (which: string) => `${which} replays nothing for ${pausedSeconds} s, while accounts are disabled`
  const skipped = notTried({ done: doneOf('a standby'), promised })
  if (skipped) return skipped
  const scene = await openScene(stage, 60)
  const leader = await scene.cluster.whole()
  const standbys = scene.cluster.members.filter(({ name }) => name !== leader.name)
  const [reader, ...accounts] = scene.people.users
  if (!reader) throw new Error('there is no reader')
  await makeAdministrator(leader.urlOf(scene.databaseUrl), reader)
  await until('a replica is read', 60, () => isReplicaRead(scene, reader))
  const findings: Finding[] = []
  for (const [which, paused] of [
    ['one of two standbys', standbys.slice(0, 1)],
    ['every standby', standbys],
  ] as const) {
    const half = accounts.splice(0, 25)
    findings.push({ done: doneOf(which), promised, ...(await lagWith(scene, { reader, paused, accounts: half })) })
  }
  return findings
}

async function lagWith(
  scene: Scene,
  { reader, paused, accounts }: { reader: Person; paused: readonly Member[]; accounts: readonly Person[] },
): Promise<Pick<Finding, 'seen' | 'isKept'>> {
  const [near, far] = scene.nodes
  if (!near || !far) throw new Error('there are no two nodes')
  const { admin } = scene.people
  const acknowledged: { id: string; atMs: number }[] = []
  const sources: string[] = []
  let lacking = 0
  let ownLacking = 0
  const goOn = await stopReplay(paused)
  const untilMs = performance.now() + pausedSeconds * 1_000

  async function disable(): Promise<void> {
    for (const { id } of accounts) {
      if (performance.now() > untilMs) return
      const options = { method: 'POST', token: admin.token, headers: { 'if-match': '*' } } as const
      const { status } = await ask(`${near?.url}/api/v1/admin/users/${id}/disable`, options)
      if (status !== 200) continue
      acknowledged.push({ id, atMs: performance.now() })
      if (!(await listDisabled(far?.url, admin)).text.includes(id)) ownLacking += 1
      await setTimeout(500)
    }
  }
  async function read(url: string): Promise<void> {
    while (performance.now() < untilMs) {
      const sentAtMs = performance.now()
      const { text, source } = await listDisabled(url, reader)
      sources.push(source)
      const due = acknowledged.filter(({ atMs }) => atMs < sentAtMs - lagSeconds * 1_000)
      lacking += due.filter(({ id }) => !text.includes(id)).length
      await setTimeout(50)
    }
  }
  await Promise.all([disable(), read(near.url), read(far.url)])
  const late = await Promise.all(paused.map((member) => member.sql(lateText)))
  goOn()
  const again = await until('a replica is read again', 60, () => isReplicaRead(scene, reader))
  return {
    seen: `${acknowledged.length} disabled; lists from ${countsOf(sources)}: ${lacking} lacked a change, ${ownLacking} one of the caller; a replica is read ${again.toFixed(1)} s later`,
    isKept:
      late.every((rows) => rows.length === 1) &&
      acknowledged.length > 10 &&
      lacking + ownLacking === 0 &&
      again <= usedAgainSeconds,
  }
}

/** Stops the processes that replay: Patroni resumes what pg_wal_replay_pause() pauses. Returns what lets them go on. */
async function stopReplay(members: readonly Member[]): Promise<() => void> {
  const rows = await Promise.all(members.map((member) => member.sql(replayingText)))
  const pids = rows.flat().map((row) => ('pid' in row ? Number(row.pid) : 0))
  for (const pid of pids) sendSignal(pid, 'SIGSTOP')
  return () => {
    for (const pid of pids) sendSignal(pid, 'SIGCONT')
  }
}

const replayingText = `select pid from pg_stat_activity where backend_type = 'startup'`

const lateText = `select 1 where now() - pg_last_xact_replay_timestamp() > interval '${pausedSeconds - 5} s'`

async function listDisabled(url = '', { token }: Person): Promise<{ readonly text: string; readonly source: string }> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api/v1/admin/users/fetch?status=disabled`, { headers })
  const source = answer.ok ? (answer.headers.get('muster-read') ?? 'none') : String(answer.status)
  return { text: await answer.text(), source: source.replace(/;.*/, '') }
}

async function isReplicaRead({ nodes }: Scene, reader: Person): Promise<boolean> {
  const lists = await Promise.all(nodes.map(({ url }) => listDisabled(url, reader)))
  return lists.every(({ source }) => source === 'replica')
}

async function makeAdministrator(databaseUrl: string, { id }: Person): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`update account set role_id = 'admin' where id = $1`, [id]).finally(() => client.end())
}
