import type { ChildProcess } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'

import { DatabaseError } from 'pg'
import type { Logger } from 'pino'

import type { Secret } from '../secret.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { type Layout, layoutOf, makeDataDir } from './layout.ts'
import { connectKeeper, type Keeper, superuserLink } from './lease.ts'
import type { Link } from './link.ts'
import { ensureCluster, readPassword } from './make-cluster.ts'
import {
  chooseEndpoint,
  type Endpoint,
  lastLogLines,
  livePostmaster,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts'
import { isAlive } from './process-alive.ts'
import type { Programs } from './programs.ts'
import { StartError, sayingWhy } from './start-error.ts'
import { findPrograms, unprivilegedNames } from './unprivileged.ts'

/** `own`: the service; one at a time on a data directory. `join`: a command, beside a service or alone, any number at once. */
export type EmbeddedMode = 'own' | 'join'

export interface EmbeddedOptions {
  /** Absolute path of the data directory; made if missing. */
  readonly dataDir: string
  readonly mode: EmbeddedMode
  readonly log: Logger
  /** A Unix socket where its path is short enough, otherwise TCP on 127.0.0.1. */
  readonly transport?: 'socket' | 'tcp'
  /** How long a server may give no sign of life. One that says it recovers after a crash is waited for. */
  readonly startTimeoutMs?: number
  readonly stopTimeoutMs?: number
  /** Users to run as when Muster is root. */
  readonly unprivilegedNames?: readonly string[]
  /** Further settings of the server. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface EmbeddedServer {
  /** The database of the service. It stays the same when the server is restarted. */
  readonly link: Link
  /** The superuser, for tests and maintenance. */
  readonly superuser: Link
  /** Gives the server up; whoever is the last to do so stops it. Never kills it. */
  stop(): Promise<void>
}

/**
 * PostgreSQL in the data directory: made if there is none, started if it is not running, adopted if a killed Muster left it running.
 * In mode `own` the server is started again when it dies. Throws `StartError`: one sentence that says what to do.
 */
export function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  return sayingWhy(options.dataDir, async () => {
    const place = await prepare(options)
    return keep(place, await enter(place, await chooseEndpoint(place.layout, options.transport)))
  })
}

async function prepare(options: EmbeddedOptions): Promise<Place> {
  const layout = layoutOf(options.dataDir)
  const binaries = findBinaries()
  await makeDataDir(layout)
  const programs = await findPrograms({
    initdb: binaries.initdb,
    dataDir: layout.dataDir,
    cluster: layout.cluster,
    names: options.unprivilegedNames ?? unprivilegedNames,
  })
  const password = await readPassword(layout)
  await ensureCluster(layout, binaries, programs, password)
  return { options, layout, binaries, programs, password }
}

interface Place {
  readonly options: EmbeddedOptions
  readonly layout: Layout
  readonly binaries: Binaries
  readonly programs: Programs
  readonly password: Secret
}

interface Held {
  readonly keeper: Keeper
  readonly endpoint: Endpoint
}

const startTimeoutMs = 30_000
const stopTimeoutMs = 30_000
const lookAgainMs = 40
/** A server that ends at once may have lost a race for the directory; one that does so again and again has another reason. */
const startsMax = 3
/** How long the lock of a process that is gone may outlive it. */
const ghostTimeoutMs = 5_000
const restartDelayMaxMs = 30_000

/** Starts the server or finds it running, and takes this process's place on it. */
async function enter(place: Place, wanted: Endpoint): Promise<Held> {
  const { options, layout } = place
  const patienceMs = options.startTimeoutMs ?? startTimeoutMs
  let lastSignAt = performance.now()
  let child: Child | undefined
  let starts = 0
  for (;;) {
    const running = await livePostmaster(layout.cluster)
    if (running?.endpoint) {
      const held = await takePlace(place, running.endpoint)
      if (typeof held === 'object') return held
      if (held === 'passing') lastSignAt = performance.now()
    } else if (!running && !child?.isRunning()) {
      if (starts === startsMax) throw await notStarted(layout)
      child = watch(startPostmaster({ ...place, endpoint: wanted, settings: options.settings ?? {} }))
      starts += 1
    }
    if (performance.now() - lastSignAt > patienceMs) throw await notAnswering(layout, running?.pid)
    await setTimeout(lookAgainMs)
  }
}

/** `passing` while the server recovers after a crash or is being stopped, `silent` when it does not answer. */
async function takePlace(
  { options, layout, password }: Place,
  endpoint: Endpoint,
): Promise<Held | 'passing' | 'silent'> {
  const purpose = options.mode === 'own' ? 'owner' : 'guest'
  const keeper = await connectKeeper(superuserLink(endpoint, password), purpose).catch((error: unknown) => {
    throw sayRefused(layout, error)
  })
  if (typeof keeper === 'string') return keeper
  let isHeld = false
  try {
    if (!(await keeper.holdUse())) return 'passing'
    if (options.mode === 'own') await becomeOwner(keeper, layout)
    await keeper.provision({ ...endpoint, user: 'muster', database: 'muster', password })
    isHeld = true
    return { keeper, endpoint }
  } finally {
    if (!isHeld) await keeper.end()
  }
}

async function becomeOwner(keeper: Keeper, { dataDir }: Layout): Promise<void> {
  const begunAt = performance.now()
  for (;;) {
    const owner = await keeper.holdOwner()
    if (owner === true) return
    // The server needs a moment to notice that a killed owner is gone.
    const isGhost = owner === undefined || !isAlive(owner)
    if (!isGhost || performance.now() - begunAt > ghostTimeoutMs) {
      throw new StartError(
        `The data directory ${dataDir} is in use by process ${owner ?? 'unknown'}: stop that one, or use another directory.`,
      )
    }
    await setTimeout(lookAgainMs)
  }
}

/** Watches over the held server until it is given up. */
function keep(place: Place, first: Held): EmbeddedServer {
  const { options, password } = place
  let { keeper } = first
  const stopping = new AbortController()
  let restart: Promise<void> | undefined

  const guard = () => {
    keeper.onLost(() => {
      if (stopping.signal.aborted) return
      options.log.error('the embedded database is gone')
      if (options.mode === 'own') restart = enterAgain().then(guard)
    })
  }
  const enterAgain = async () => {
    for (let delayMs = lookAgainMs; !stopping.signal.aborted; delayMs = Math.min(delayMs * 2, restartDelayMaxMs)) {
      try {
        ;({ keeper } = await enter(place, first.endpoint))
        options.log.warn('the embedded database is back')
        return
      } catch (error) {
        options.log.error({ err: error, delayMs }, 'the embedded database did not start')
        await setTimeout(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }
  guard()

  return {
    link: { ...first.endpoint, user: 'muster', database: 'muster', password },
    superuser: superuserLink(first.endpoint, password),
    async stop() {
      stopping.abort()
      await restart
      await leave(place, keeper)
    },
  }
}

async function leave({ binaries, programs, layout, options }: Place, keeper: Keeper): Promise<void> {
  const isLast = await keeper.letGo().catch(() => false)
  if (isLast) {
    const timeoutMs = options.stopTimeoutMs ?? stopTimeoutMs
    const stopped = await stopPostmaster(binaries, programs, layout.cluster, timeoutMs)
    if (!stopped) options.log.error({ timeoutMs }, 'the embedded database is still stopping')
  }
  await keeper.end()
}

interface Child {
  isRunning(): boolean
}

function watch(child: ChildProcess): Child {
  let running = true
  for (const event of ['error', 'exit']) child.once(event, () => (running = false))
  return { isRunning: () => running }
}

async function notStarted(layout: Layout): Promise<StartError> {
  const lines = await lastLogLines(layout.log)
  return new StartError(
    `The embedded database did not start (${gravest(lines)}): correct that (its log is ${layout.log}), or set DATABASE_URL.`,
    { cause: new Error(lines.join('\n')) },
  )
}

async function notAnswering(layout: Layout, pid: number | undefined): Promise<StartError> {
  const lines = await lastLogLines(layout.log)
  const who = pid === undefined ? '' : `; process ${pid} holds ${layout.cluster}/postmaster.pid`
  return new StartError(
    `The embedded database did not answer in time (${gravest(lines)}${who}): see its log ${layout.log}, and start again.`,
    { cause: new Error(lines.join('\n')) },
  )
}

/** For reading only. 57P03 is what callers were told meanwhile; without a grave line, such as from the system's loader, the last one. */
function gravest(lines: readonly string[]): string {
  const line =
    lines.findLast((text) => /FATAL|PANIC/.test(text) && !text.includes(' 57P03 ')) ?? lines.at(-1) ?? 'no log'
  return line.replace(/^.*?(?=FATAL|PANIC)/, '')
}

function sayRefused(layout: Layout, error: unknown): unknown {
  // 28P01 and 28000: refused; anything else is PostgreSQL's own news.
  if (!(error instanceof DatabaseError) || !error.code?.startsWith('28')) return error
  return new StartError(
    `The embedded database refused the password in ${layout.passwordFile}: restore that file from a backup.`,
    {
      cause: error,
    },
  )
}
