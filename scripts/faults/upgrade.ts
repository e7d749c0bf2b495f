import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Client } from 'pg'
import { migrationNames, migrationsFolder, numberOf } from '../../src/platform/database/schema.ts'
import { packageRoot } from '../../src/platform/package-root.ts'
import { makeNewerRelease } from '../../test/support/newer-release.ts'
import type { Caller, Callers } from './callers.ts'
import { countsOf } from './client.ts'
import { isWhole, seenOf } from './database-outages.ts'
import { type Load, startLoad } from './load.ts'
import { environmentOf, type Node } from './node.ts'
import { haproxy, isInstalled, startProxy } from './proxies.ts'
import { metricsToken, proxyServes, servedBy } from './rolling-restart.ts'
import type { Finding, Section, SectionOptions, Stage } from './stage.ts'
import { until } from './wait.ts'

/** The folder of a package or of this checkout. */
interface Release {
  readonly title: string
  readonly folder: string
}

const program = ({ folder }: Release) => join(folder, 'dist/bundle/main.cjs')
/** Between two steps. */
const answersMin = 500
const users = 4

/** Two nodes behind HAProxy are replaced by the next release, one after the other, and then by the previous one again. */
export const upgrade: Section = { name: 'upgrade', secondsMax: 3_600, run: upgradeAndBack }

async function upgradeAndBack(stage: Stage, options: SectionOptions): Promise<readonly Finding[]> {
  const [older, newer] = await releasesOf(stage, options)
  const done = `two nodes with ${options.accounts.toLocaleString('en')} accounts behind HAProxy go from ${older.title} to ${newer.title}, one after the other, and back`
  const promised = '0 failed requests, 0 acknowledged writes lost'
  if (!isInstalled(haproxy)) return [{ done, promised, seen: 'haproxy is not installed', isKept: undefined }]
  const databaseUrl = await (await stage.postgres()).newDatabase()
  const nodes = await startTwo(stage, older, databaseUrl)
  await seed(older, databaseUrl, options.accounts)
  const callers = await callersByCommand(older.folder, databaseUrl, users)
  const url = await startProxy(
    stage,
    haproxy,
    nodes.map((node) => new URL(node.url).host),
  )
  await proxyServes(url)
  // The full export would be a million lines.
  const load = startLoad({ url, callers, listPath: '/api/v1/admin/users/fetch?limit=100' })
  await load.recovered(60)
  const readyAfter: string[] = []
  for (const release of [newer, older])
    for (const index of nodes.keys())
      readyAfter.push(await replace(stage, { nodes, index, release, load, databaseUrl }))
  await more(load)
  const outcomes = load.since(0).map(({ outcome }) => outcome)
  const gap = longestGap(load)
  const result = await load.stop(databaseUrl)
  const state = await stateOf(databaseUrl)
  const seen = [
    countsOf(outcomes),
    seenOf(result),
    `nodes were ready after ${readyAfter.join(', ')} s, the first with the migrations`,
    `at most ${gap.toFixed(1)} s without a write`,
    `${state.accounts.toLocaleString('en')} accounts, ${state.migrations} migrations`,
  ]
  const failed = outcomes.filter((outcome) => !/^20[01]$/.test(outcome))
  return [{ done, promised, seen: seen.join('; '), isKept: isWhole(result) && failed.length === 0 }]
}

/** Without a package of the previous release, this one is the older, and the newer is this one with one more migration. */
async function releasesOf(stage: Stage, { from }: SectionOptions): Promise<readonly [Release, Release]> {
  const present = { title: 'this release', folder: packageRoot() }
  if (from !== undefined) return [{ title: from, folder: join(from, 'node_modules/@muster/server') }, present]
  const folder = join(stage.folder, 'newer')
  await mkdir(folder)
  const worksWith = numberOf((await migrationNames(migrationsFolder())).at(-1))
  makeNewerRelease(
    folder,
    `alter table account add column nickname text not null default '';
insert into schema_compatibility values (900, ${worksWith});`,
  )
  return [present, { title: 'the next with one more migration', folder }]
}

const env = { MUSTER_METRICS_TOKEN: metricsToken }

async function startTwo(stage: Stage, release: Release, databaseUrl: string): Promise<Node[]> {
  const start = () => stage.node({ databaseUrl, env, program: program(release) })
  // The first one runs the migrations.
  return [await start(), await start()]
}

async function seed({ folder }: Release, databaseUrl: string, accounts: number): Promise<void> {
  if (accounts > 0) await runCommand(folder, databaseUrl, ['seed', '--users', String(accounts), '--yes'])
}

interface Replacement {
  readonly nodes: Node[]
  readonly index: number
  readonly release: Release
  readonly load: Load
  readonly databaseUrl: string
}

/** Stops a node and starts the other release instead, while the other node serves. Returns the seconds until it was ready. */
async function replace(stage: Stage, { nodes, index, release, load, databaseUrl }: Replacement): Promise<string> {
  const node = nodes[index]
  if (!node) throw new Error(`there is no node ${index}`)
  await more(load)
  await node.stop()
  const startedAt = performance.now()
  const port = new URL(node.url).port
  const start = () => stage.node({ databaseUrl, env: { ...env, MUSTER_PORT: port }, program: program(release) })
  // Like a supervisor if the database does not answer in time; the other node serves meanwhile.
  const next = await start().catch(start)
  const seconds = (performance.now() - startedAt) / 1_000
  nodes[index] = next
  await until('the next node serves', 60, async () => (await servedBy(next)) >= 50)
  return seconds.toFixed(1)
}

async function more(load: Load): Promise<void> {
  const from = performance.now()
  await until('the load runs', 120, () => load.since(from).length >= answersMin)
}

/** Seconds between two successful writes. */
function longestGap(load: Load): number {
  const writtenAt = load.since(0).flatMap(({ outcome, atMs }) => (outcome === '201' ? [atMs] : []))
  return Math.max(0, ...writtenAt.map((atMs, index) => atMs - (writtenAt[index - 1] ?? atMs))) / 1_000
}

async function stateOf(databaseUrl: string): Promise<{ readonly accounts: number; readonly migrations: number }> {
  const client = new Client(databaseUrl)
  await client.connect()
  try {
    const { rows } = await client.query<{ accounts: number; migrations: number }>(
      'select (select count(*) from account)::int as accounts, (select count(*) from muster_migration)::int as migrations',
    )
    return rows[0] ?? { accounts: 0, migrations: 0 }
  } finally {
    await client.end()
  }
}

/** Creates the same as `createCallers` by the command of another release, because its accounts may not fit the statements of this one. */
async function callersByCommand(folder: string, databaseUrl: string, count: number): Promise<Callers> {
  const create = async (role: string, name: string): Promise<Caller> => {
    const email = `${name}@faults.example`
    const password = randomBytes(18).toString('base64url')
    const options = ['users', 'create', '--email', email, '--role', role, '--json']
    const { id } = JSON.parse(await runCommand(folder, databaseUrl, options, password))
    return { id, token: (await runCommand(folder, databaseUrl, ['token', '--email', email])).trim() }
  }
  const admin = await create('admin', 'admin')
  const users: Caller[] = []
  for (let number = 0; number < count; number += 1) users.push(await create('user', `user${number}`))
  return { admin, users }
}

/** Runs `muster` of the release in that folder. Returns its output. */
async function runCommand(folder: string, databaseUrl: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(process.execPath, [join(folder, 'cli/bin.js'), ...args], {
    env: environmentOf({ databaseUrl }),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(input)
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`muster ${args[0]} of ${folder} ended with ${code}`)
  return printed
}
