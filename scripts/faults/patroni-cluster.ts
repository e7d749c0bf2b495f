import { type ChildProcess, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, existsSync, readFileSync } from 'node:fs'
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { parse, stringify } from 'yaml'
import { livePostmaster } from '../../embedded/postmaster.ts'
import { findPrograms, type Programs, startProgram } from '../../embedded/programs.ts'
import { packageRoot } from '../../src/platform/package-root.ts'
import { freePort } from '../../test/support/free-port.ts'
import { ask } from './client.ts'
import type { Stage } from './stage.ts'
import { familyOf, sendSignal, until } from './wait.ts'

/** Three servers under Patroni with synchronous replication, on loopback addresses. */
export interface PatroniCluster {
  /** The address of a new database that lists every server, for the role of the service. */
  newDatabase(): Promise<string>
  /** The leader other than `old`, confirmed by both Patroni and PostgreSQL. */
  leader(old: Member): Promise<Member | undefined>
  /** Resolves with the leader when the others follow it, one of them synchronously. */
  whole(): Promise<Member>
  readonly members: readonly Member[]
  /** The settings file of one server, for `patronictl -c`. */
  readonly settingsPath: string
  /** Stops etcd, or restarts it with its data. */
  etcd(isRunning: boolean): Promise<void>
  /** `patronictl switchover` */
  switchover(): Promise<void>
  /** The last log lines of Patroni and PostgreSQL of each server. */
  logs(): Promise<string>
}

export interface Member {
  readonly name: string
  /** Host and port of its PostgreSQL and of its Patroni interface. */
  readonly host: string
  readonly api: string
  /** On the database `postgres`, as the superuser. */
  sql(text: string): Promise<readonly object[]>
  /** The address of a database on this server only. */
  urlOf(databaseUrl: string): string
  /** SIGSTOP for Patroni, and optionally for PostgreSQL. */
  freeze(what: 'all' | 'patroni'): Promise<void>
  /**
   * SIGCONT. A PostgreSQL that was frozen with its Patroni runs alone for a moment, until both are killed and restarted, as a watchdog does
   * with their host. No client can compensate for a Patroni that continues: up to 3.0.2 it may believe that it still holds the lock, and
   * take it from the new leader (patroni/patroni#2689). The same applies to one that starts next to the old leader: before it checks the
   * lock, it removes the synchronous standbys from the settings, and later commits exist nowhere else.
   */
  thaw(what: 'all' | 'patroni'): Promise<void>
  /** `kill -9` of Patroni and of the postmaster. */
  kill(): Promise<void>
  /** Restarts its Patroni. */
  start(): void
}

/** Debian's program folders, which are not in the path. */
const binFolder = ['18', '17', '16', '15', '14']
  .map((major) => `/usr/lib/postgresql/${major}/bin`)
  .find((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'pg_rewind')))

/** The missing programs. */
export function missingForPatroni(): readonly string[] {
  const programs = ['patroni', 'patronictl', 'etcd'].filter((name) => spawnSync('which', [name]).status !== 0)
  return binFolder === undefined ? [...programs, 'PostgreSQL of Debian'] : programs
}

/**
 * Faster than the file that operators copy: with that one, the outage after a lost leader is up to three times as long. From 3.2 on Patroni
 * raises a `ttl` below 20 to 20.
 */
const fasterSettings = { ttl: 10, loop_wait: 2, retry_timeout: 4 }

export async function startPatroniCluster(stage: Stage): Promise<PatroniCluster> {
  const folder = join(stage.folder, 'patroni')
  await mkdir(folder, { mode: 0o711 })
  const initdb = join(binFolder ?? '', 'initdb')
  const cluster = join(folder, 'none')
  const programs = await findPrograms({ initdb, dataDir: stage.folder, cluster })
  const place = { stage, folder, programs, password: randomBytes(16).toString('hex') }
  const etcd = await startEtcd(place)
  // One after the other: the first one creates the cluster, and so leads it.
  const members: MadeMember[] = []
  for (const name of ['one', 'two', 'three']) {
    const member = await makeMember(place, etcd.address, name)
    members.push(member)
    member.start()
    if (members.length === 1) await until('Patroni has created the cluster', 60, () => member.leads())
  }

  async function leader(old?: Member): Promise<MadeMember | undefined> {
    for (const member of members) if (member !== old && (await member.leads())) return member
    return undefined
  }

  async function whole(): Promise<MadeMember> {
    let found: MadeMember | undefined
    await until('the cluster is complete', 120, async () => {
      found = await leader()
      return found !== undefined && (await found.isFollowed(members.length - 1).catch(() => false))
    })
    if (!found) throw new Error('there is no leader')
    return found
  }

  await (await whole()).sql(`create role muster login password '${place.password}'`)
  let databases = 0
  const [{ settingsPath = '' } = {}] = members
  return {
    members,
    settingsPath,
    leader,
    whole,
    etcd: (isRunning) => (isRunning ? etcd.start() : etcd.stop()),
    async newDatabase() {
      databases += 1
      await (await whole()).sql(`create database patroni_${databases} owner muster`)
      const hosts = members.map(({ host }) => host).join(',')
      return `postgres://muster:${place.password}@${hosts}/patroni_${databases}?target_session_attrs=read-write`
    },
    async switchover() {
      const args = ['-c', settingsPath, 'switchover', 'muster', '--force']
      const child = startProgram(programs, 'patronictl', args, { stdio: ['ignore', 'pipe', 'pipe'] })
      const [code] = await once(child, 'exit')
      if (code !== 0) throw new Error(`patronictl switchover ended with ${code}`)
    },
    async logs() {
      const texts = await Promise.all(members.map(({ logPath }) => readFile(logPath, 'utf8')))
      return members.map(({ name }, index) => [name, ...lastLines(texts[index])].join('\n  ')).join('\n')
    },
  }
}

function lastLines(text = ''): readonly string[] {
  return text.split('\n').slice(-loggedLines)
}

const loggedLines = 120

interface Place {
  readonly stage: Stage
  readonly folder: string
  readonly programs: Programs
  readonly password: string
}

/** The store of Patroni's leader lock: one server instead of three. */
async function startEtcd({ stage, folder, programs }: Place) {
  const [address, peers] = [`127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`]
  const dataDir = join(folder, 'etcd')
  await mkdirFor(programs, dataDir)
  const args = [
    `--data-dir=${dataDir}`,
    `--listen-client-urls=http://${address}`,
    `--advertise-client-urls=http://${address}`,
    `--listen-peer-urls=${peers}`,
    `--initial-advertise-peer-urls=${peers}`,
    `--initial-cluster=default=${peers}`,
  ]
  let child: ChildProcess | undefined
  const stop = async () => (child ? ended(child, 'SIGKILL') : undefined)
  async function start(): Promise<void> {
    child = startLogged(programs, 'etcd', args, `${dataDir}.log`)
    const health = () => ask(`http://${address}/health`).then(({ status }) => status === 200)
    await until('etcd answers', 30, () => health().catch(() => false))
  }
  stage.onEnd(stop)
  await start()
  return { address, start, stop }
}

interface MadeMember extends Member {
  readonly settingsPath: string
  readonly logPath: string
  leads(): Promise<boolean>
  /** Whether that many servers follow it, one of them synchronously. */
  isFollowed(count: number): Promise<boolean>
}

async function makeMember(place: Place, etcd: string, name: string): Promise<MadeMember> {
  const { stage, folder, programs, password } = place
  const [host, api] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`]
  const home = join(folder, name)
  const dataDir = join(home, 'data')
  const settingsPath = join(home, 'patroni.yml')
  const logPath = join(folder, `${name}.log`)
  await mkdirFor(programs, home)
  await writeFile(settingsPath, stringify(settingsOf({ name, home, host, api, etcd, password })))
  let patroni: ChildProcess | undefined

  /** The running processes of Patroni, or all of them. */
  async function signal(name: NodeJS.Signals, pidsOf: (postmaster: number) => readonly number[]): Promise<void> {
    if (patroni && isRunning(patroni)) patroni.kill(name)
    const postmaster = await livePostmaster(dataDir)
    for (const pid of postmaster ? pidsOf(postmaster.pid) : []) sendSignal(pid, name)
  }

  async function sql(text: string): Promise<readonly object[]> {
    const client = new Client({
      connectionString: `postgres://postgres:${password}@${host}/postgres`,
      connectionTimeoutMillis: 1_000,
      query_timeout: 10_000,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query<object>(text)).rows
    } finally {
      client.end().catch(() => undefined)
    }
  }

  const member: MadeMember = {
    name,
    host,
    api,
    settingsPath,
    logPath,
    sql,
    urlOf: (databaseUrl) => databaseUrl.replace(/@[^/]*/, `@${host}`).replace(/\?.*/, ''),
    async leads() {
      const isPrimary = ask(`http://${api}/primary`, { timeoutMs: 1_000 }).then(({ status }) => status === 200)
      if (!(await isPrimary.catch(() => false))) return false
      return sql('select 1 where not pg_is_in_recovery()').then(
        (rows) => rows.length === 1,
        () => false,
      )
    },
    async isFollowed(count) {
      const rows = await sql(`
        select 1 from pg_stat_replication where state = 'streaming'
        having count(*) = ${count} and bool_or(sync_state = 'sync')`)
      return rows.length === 1
    },
    freeze: (what) => signal('SIGSTOP', frozenWith[what]),
    async thaw(what) {
      if (what === 'all') patroni?.kill('SIGKILL')
      await signal('SIGCONT', frozenWith[what])
      if (what === 'patroni') return
      await setTimeout(aloneMs)
      await signal('SIGKILL', familyOf)
      member.start()
    },
    kill: () => signal('SIGKILL', (postmaster) => [postmaster]),
    start() {
      patroni = startLogged(programs, 'patroni', [settingsPath], logPath)
    },
  }
  stage.onEnd(async () => {
    await signal('SIGCONT', familyOf)
    // Patroni stops its PostgreSQL before it exits.
    if (patroni) await ended(patroni, 'SIGTERM')
    await signal('SIGKILL', familyOf)
  })
  return member
}

/** How long an old leader continues before its watchdog ends it. */
const aloneMs = 3_000

/** The processes that are frozen with Patroni. */
const frozenWith = { all: familyOf, patroni: () => [] }

interface MemberPlace {
  readonly name: string
  readonly home: string
  readonly host: string
  readonly api: string
  readonly etcd: string
  readonly password: string
}

/** The file that operators copy, with this machine's addresses and folders, without TLS and without a watchdog. */
function settingsOf({ name, home, host, api, etcd, password }: MemberPlace) {
  const settings: PatroniSettings = parse(readFileSync(join(packageRoot(), 'deploy/ha/patroni.yml'), 'utf8'))
  const { bootstrap, postgresql } = settings
  const roles = Object.entries(postgresql.authentication)
  return {
    scope: settings.scope,
    name,
    restapi: addresses(api),
    etcd3: { hosts: [etcd] },
    bootstrap: { ...bootstrap, dcs: { ...bootstrap.dcs, ...fasterSettings } },
    postgresql: {
      ...addresses(host),
      data_dir: join(home, 'data'),
      bin_dir: binFolder,
      pgpass: join(home, 'pgpass'),
      authentication: Object.fromEntries(roles.map(([role, { username }]) => [role, { username, password }])),
      parameters: { unix_socket_directories: '' },
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  }
}

interface PatroniSettings {
  readonly scope: string
  readonly bootstrap: { readonly dcs: object }
  readonly postgresql: { readonly authentication: Readonly<Record<string, { readonly username: string }>> }
}

function addresses(address: string) {
  return { listen: address, connect_address: address }
}

async function mkdirFor({ user }: Programs, path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 })
  if (user) await chown(path, user.uid, user.gid)
}

function startLogged(programs: Programs, program: string, args: readonly string[], logPath: string): ChildProcess {
  const child = startProgram(programs, program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const log = createWriteStream(logPath, { flags: 'a' })
  for (const output of [child.stdout, child.stderr]) output?.pipe(log, { end: false })
  return child
}

/** Kills a process that does not exit in time. */
async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!isRunning(child)) return
  const exited = once(child, 'exit')
  const late = globalThis.setTimeout(() => child.kill('SIGKILL'), 30_000)
  child.kill(signal)
  await exited
  clearTimeout(late)
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}
