import type { ChildProcess } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import type { Logger } from 'pino'
import { type Binaries, findBinaries } from './binaries.ts'
import { ensureCluster, readPassword } from './cluster.ts'
import { type Layout, layoutOf, makeDataDir } from './directory.ts'
import { EmbeddedError, explainDirectoryErrors } from './error.ts'
import { openLease, type ServerLease } from './lease.ts'
import {
  chooseEndpoint,
  type Endpoint,
  foreignHolder,
  lastLogLines,
  livePostmaster,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts'
import { findPrograms, isAlive, type Programs } from './programs.ts'

/** `own`: the service, one per data directory. `join`: a command, any number in parallel, with or without a service. */
export type EmbeddedMode = 'own' | 'join'

interface EmbeddedOptions {
  /** Absolute path of the data directory; created if missing. */
  readonly dataDir: string
  readonly mode: EmbeddedMode
  readonly log: Pick<Logger, 'error' | 'warn'>
  /** A Unix socket if its path is short enough, otherwise TCP on 127.0.0.1. */
  readonly transport?: 'socket' | 'tcp'
  /** The programs of another major version, for a cluster of that version. Default: those of the package. */
  readonly binaries?: Binaries
  /** More server settings. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface EmbeddedServer {
  /** Of the service's database, with the password. Stays the same when the server restarts. */
  readonly url: string
  /** Of the superuser, for tests and maintenance. */
  readonly superuserUrl: string
  /** Releases the server. The last process to release it stops it, and never kills it. */
  close(): Promise<void>
}

/**
 * PostgreSQL in the data directory: created if missing, started if not running, adopted if a killed Muster left it running. In mode `own` a
 * server that stops is restarted. Throws `EmbeddedError`, a sentence that says what to do.
 */
export function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  return explainDirectoryErrors(options.dataDir, async () => {
    const place = await prepare(options)
    return supervise(place, await acquireServer(place, await chooseEndpoint(place.layout, options.transport)))
  })
}

async function prepare(options: EmbeddedOptions): Promise<Place> {
  const layout = layoutOf(options.dataDir)
  const binaries = options.binaries ?? findBinaries()
  await makeDataDir(layout)
  const programs = await findPrograms({ initdb: binaries.initdb, dataDir: layout.dataDir, cluster: layout.cluster })
  const password = await readPassword(layout)
  await ensureCluster(layout, binaries, programs, password)
  return { options, layout, binaries, programs, password }
}

interface Place {
  readonly options: EmbeddedOptions
  readonly layout: Layout
  readonly binaries: Binaries
  readonly programs: Programs
  readonly password: string
}

interface Held {
  readonly lease: ServerLease
  readonly endpoint: Endpoint
}

/** Both have the same password, and a database named like the role. */
const serviceRole = 'muster'
const superuser = 'postgres'

/** How long a server may stay silent. While it reports crash recovery, the start keeps waiting. */
const startTimeoutMs = 30_000
const stopTimeoutMs = 30_000
const retryDelayMs = 40
/** A server that exits immediately may have lost a race for the directory; repeated exits have another reason. */
const startsMax = 3
/** How long the server may take to release the lock of a killed owner. */
const deadOwnerTimeoutMs = 5_000
const restartDelayMaxMs = 30_000

/** Starts the server or finds it running, and acquires this process's lease on it. */
async function acquireServer(place: Place, wanted: Endpoint): Promise<Held> {
  const { options, layout } = place
  let lastSignAt = performance.now()
  let child: Child | undefined
  let starts = 0
  for (;;) {
    const running = await livePostmaster(layout.cluster)
    if (running?.endpoint) {
      const held = await tryAcquire(place, running.endpoint)
      if (typeof held === 'object') return held
      if (held === 'not_ready') lastSignAt = performance.now()
    } else if (!running && !child?.isRunning()) {
      if (starts === startsMax) throw await notStarted(layout)
      child = watch(startPostmaster({ ...place, endpoint: wanted, settings: options.settings ?? {} }))
      starts += 1
    }
    if (performance.now() - lastSignAt > startTimeoutMs) throw await notAnswering(layout, running?.pid)
    await setTimeout(retryDelayMs)
  }
}

async function tryAcquire(
  { options, layout, password }: Place,
  endpoint: Endpoint,
): Promise<Held | 'not_ready' | 'no_answer'> {
  const purpose = options.mode === 'own' ? 'owner' : 'guest'
  const lease = await openLease(urlOf(endpoint, superuser, password), purpose).catch((error: unknown) => {
    throw explainRefusal(layout, error)
  })
  if (typeof lease === 'string') return lease
  let isHeld = false
  try {
    if (!(await lease.acquire())) return 'not_ready'
    if (options.mode === 'own') await becomeOwner(lease, layout)
    await lease.provision(serviceRole, password)
    isHeld = true
    return { lease, endpoint }
  } finally {
    if (!isHeld) await lease.end()
  }
}

async function becomeOwner(lease: ServerLease, { dataDir }: Layout): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const owner = await lease.acquireOwner()
    if (owner === true) return
    // The server needs a moment to notice that a killed owner is gone.
    const isDead = owner === undefined || !isAlive(owner)
    if (!isDead || performance.now() - startedAt > deadOwnerTimeoutMs) {
      throw new EmbeddedError(
        `The data directory ${dataDir} is in use by process ${owner ?? 'unknown'}: stop that process, or use another directory.`,
      )
    }
    await setTimeout(retryDelayMs)
  }
}

/** Watches the server, and in mode `own` restarts it, until this process releases it. */
function supervise(place: Place, first: Held): EmbeddedServer {
  const { options, password } = place
  let { lease } = first
  const stopping = new AbortController()
  let restart: Promise<void> | undefined

  const restartWhenLost = () => {
    lease.onLost(() => {
      if (stopping.signal.aborted) return
      options.log.error('the embedded database stopped')
      if (options.mode === 'own') restart = acquireAgain().then(restartWhenLost)
    })
  }
  const acquireAgain = async () => {
    for (let delayMs = retryDelayMs; !stopping.signal.aborted; delayMs = Math.min(delayMs * 2, restartDelayMaxMs)) {
      try {
        ;({ lease } = await acquireServer(place, first.endpoint))
        options.log.warn('the embedded database is running again')
        return
      } catch (error) {
        options.log.error({ err: error, delayMs }, 'the embedded database failed to start')
        await setTimeout(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }
  restartWhenLost()

  return {
    url: urlOf(first.endpoint, serviceRole, password),
    superuserUrl: urlOf(first.endpoint, superuser, password),
    async close() {
      stopping.abort()
      await restart
      await releaseServer(place, lease)
    },
  }
}

async function releaseServer({ binaries, programs, layout, options }: Place, lease: ServerLease): Promise<void> {
  const isLast = await lease.release().catch(() => false)
  if (isLast) {
    const stopped = await stopPostmaster(binaries, programs, layout.cluster, stopTimeoutMs)
    if (!stopped) options.log.error({ timeoutMs: stopTimeoutMs }, 'the embedded database is still stopping')
  }
  await lease.end()
}

/** The socket's folder is in the parameter `host`. `sslmode` is explicit because PGSSLMODE would apply otherwise. */
function urlOf({ host, port }: Endpoint, role: string, password: string): string {
  const isSocket = host.startsWith('/')
  const socket = isSocket ? `host=${encodeURIComponent(host)}&` : ''
  return `postgres://${role}:${encodeURIComponent(password)}@${isSocket ? 'localhost' : host}:${port}/${role}?${socket}sslmode=disable`
}

interface Child {
  isRunning(): boolean
}

function watch(child: ChildProcess): Child {
  let running = true
  for (const event of ['error', 'exit']) child.once(event, () => (running = false))
  return { isRunning: () => running }
}

async function notStarted(layout: Layout): Promise<EmbeddedError> {
  const holder = await foreignHolder(layout.cluster)
  if (holder !== undefined)
    return new EmbeddedError(
      `The embedded database did not start: its lock ${layout.cluster}/postmaster.pid names process ${holder}, which is another program, perhaps since a reboot. If no PostgreSQL uses ${layout.cluster}, remove that file and start again.`,
    )
  const lines = await lastLogLines(layout.log)
  return new EmbeddedError(
    `The embedded database did not start (${mostSevere(lines)}): fix the cause (the log is ${layout.log}), or set DATABASE_URL.`,
    { cause: new Error(lines.join('\n')) },
  )
}

async function notAnswering(layout: Layout, pid: number | undefined): Promise<EmbeddedError> {
  const lines = await lastLogLines(layout.log)
  const holder = pid === undefined ? '' : `; process ${pid} holds ${layout.cluster}/postmaster.pid`
  return new EmbeddedError(
    `The embedded database did not answer in time (${mostSevere(lines)}${holder}): see its log ${layout.log}, and start again.`,
    { cause: new Error(lines.join('\n')) },
  )
}

/**
 * The most relevant line of the log. 57P03 is ignored: it only answers connections meanwhile. Without a FATAL or PANIC, for example from
 * the system's loader, the last line.
 */
function mostSevere(lines: readonly string[]): string {
  const line =
    lines.findLast((text) => /FATAL|PANIC/.test(text) && !text.includes(' 57P03 ')) ?? lines.at(-1) ?? 'no log'
  return line.replace(/^.*?(?=FATAL|PANIC)/, '')
}

function explainRefusal(layout: Layout, error: unknown): unknown {
  // 28P01 and 28000: authentication failed. Other PostgreSQL errors are clear enough.
  if (!(error instanceof DatabaseError) || !error.code?.startsWith('28')) return error
  return new EmbeddedError(
    `The embedded database rejected the password in ${layout.passwordFile}: restore that file from a backup.`,
    { cause: error },
  )
}
