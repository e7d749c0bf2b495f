import { setTimeout } from 'node:timers/promises'
import { createCallers } from './callers.ts'
import { countsOf } from './client.ts'
import { isWhole, seenOf } from './database-outages.ts'
import { startLoad } from './load.ts'
import { missingForPatroni, startPatroniCluster } from './patroni-cluster.ts'
import type { Finding, Section, Stage } from './stage.ts'
import { until } from './wait.ts'

/** Longer than the cluster's `ttl`, after which a leader without etcd would normally step down. */
const withoutEtcdSeconds = 30
/** An outage without a leader would last about `ttl`. */
const gapSecondsMax = 5

export const etcdLost: Section = { name: 'etcd-lost', secondsMax: 200, run: loseEtcd }

async function loseEtcd(stage: Stage): Promise<readonly Finding[]> {
  const done = `etcd is killed, and started again after ${withoutEtcdSeconds} s`
  const promised = `the leader stays (failsafe_mode), never ${gapSecondsMax} s without a write that succeeds, 0 acknowledged writes lost`
  const missing = missingForPatroni()
  if (missing.length > 0) return [{ done, promised, seen: `not installed: ${missing.join(', ')}`, isKept: undefined }]
  const cluster = await startPatroniCluster(stage)
  const databaseUrl = await cluster.newDatabase()
  const nodes = [await stage.node({ databaseUrl }), await stage.node({ databaseUrl })]
  const callers = await createCallers(databaseUrl, 10)
  const leader = await cluster.whole()
  const loads = nodes.map(({ url }) => startLoad({ url, callers }))
  await Promise.all(loads.map((load) => load.recovered(20)))
  const lostAt = performance.now()
  await cluster.etcd(false)
  await setTimeout(withoutEtcdSeconds * 1_000)
  await cluster.etcd(true)
  await until('the cluster is complete again', 60, async () => (await cluster.whole()).name === leader.name)
  const answers = loads.flatMap((load) => load.since(lostAt))
  const writtenAt = answers.flatMap(({ outcome, atMs }) => (outcome === '201' ? [atMs] : [])).sort((a, b) => a - b)
  const gaps = [...writtenAt, performance.now()].map((atMs, index) => atMs - (writtenAt[index - 1] ?? lostAt))
  const gapSeconds = Math.max(...gaps) / 1_000
  const results = await Promise.all(loads.map((load) => load.stop(leader.urlOf(databaseUrl))))
  const outcomes = countsOf(answers.map(({ outcome }) => outcome))
  const longest = `at most ${gapSeconds.toFixed(1)} s without a write`
  const seen = [outcomes, longest, ...results.map(seenOf), `${leader.name} still leads`].join('; ')
  return [{ done, promised, seen, isKept: gapSeconds < gapSecondsMax && results.every(isWhole) }]
}
