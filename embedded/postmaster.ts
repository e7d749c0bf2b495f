import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync, renameSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import type { Layout } from './directory.ts'
import { EmbeddedError, errorCode } from './error.ts'
import { isPidInUse, type Programs, runProgram, startProgram } from './programs.ts'

/** Where a server listens: `host` is the directory of its Unix socket, or 127.0.0.1. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** The content of `postmaster.pid`. `endpoint` is absent until the server has opened its sockets. */
interface Postmaster {
  readonly pid: number
  readonly endpoint?: Endpoint
}

/** The longest path of a Unix socket: 104 bytes with its terminator on macOS, 108 on Linux. */
const socketPathMax = 103

/** The number in the name of the Unix socket; no TCP port is opened. */
const socketPort = 5432

const logLinesKept = 50

/** The process in `postmaster.pid`, if it runs and is not PostgreSQL: PostgreSQL then treats its own old lock as a live one. */
export async function foreignHolder(cluster: string): Promise<number | undefined> {
  const pid = pidOf((await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(ignoreMissing)) ?? '')
  return pid !== undefined && isPidInUse(pid) && !(await isPostgres(pid)) ? pid : undefined
}

/** A stand-alone backend writes its process id as a negative number. */
function pidOf(text: string): number | undefined {
  const pid = Math.abs(Number(text.split('\n', 1)[0]))
  return Number.isInteger(pid) && pid !== 0 ? pid : undefined
}

/** The server running on the cluster, if its process is alive. Only reads the lock file: PostgreSQL alone removes it. */
export async function livePostmaster(cluster: string): Promise<Postmaster | undefined> {
  // Lines: pid, data directory, start time, port, socket directory, listen address, shared memory, state.
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(ignoreMissing)
  if (text === undefined) return undefined
  const [, , , port, socketDir, address] = text.split('\n')
  const pid = pidOf(text)
  // PostgreSQL treats a zombie as the holder of its lock until the parent has reaped it, and so does this function.
  if (pid === undefined || !isPidInUse(pid) || !(await isPostgres(pid))) return undefined
  const host = socketDir || address
  return host && port ? { pid, endpoint: { host, port: Number(port) } } : { pid }
}

/** A Unix socket in the data directory, or a free port on the loopback interface if the socket path is too long. */
export async function chooseEndpoint(layout: Layout, transport: 'socket' | 'tcp' | undefined): Promise<Endpoint> {
  const path = join(layout.socketDir, `.s.PGSQL.${socketPort}`)
  const fits = process.platform !== 'win32' && Buffer.byteLength(path) <= socketPathMax
  if (transport !== 'tcp' && fits) return { host: layout.socketDir, port: socketPort }
  return { host: '127.0.0.1', port: await freePort() }
}

interface StartPostmaster {
  readonly binaries: Binaries
  readonly programs: Programs
  readonly layout: Layout
  readonly endpoint: Endpoint
  /** Settings for tests, such as `fsync: off`. */
  readonly settings: Readonly<Record<string, string>>
}

/** Starts the server in its own process group, so that Ctrl-C in a terminal ends Muster first, and Muster stops the server. */
export function startPostmaster({ binaries, programs, layout, endpoint, settings }: StartPostmaster): ChildProcess {
  keepPreviousLog(layout.log)
  // A file instead of a pipe, so that the server survives a killed Muster and never waits for a busy one.
  const log = openSync(layout.log, 'a', 0o600)
  const options = { ...durableSettings, ...listenSettings(endpoint), ...settings }
  const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = startProgram(programs, binaries.postgres, ['-D', layout.cluster, ...args], {
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  return child
}

/** Stops the server: rolls back running transactions and keeps all commits. False on timeout. */
export async function stopPostmaster(
  binaries: Binaries,
  programs: Programs,
  cluster: string,
  timeoutMs: number,
): Promise<boolean> {
  const seconds = String(Math.ceil(timeoutMs / 1_000))
  const args = ['stop', '-D', cluster, '-m', 'fast', '-w', '-t', seconds]
  const { code } = await runProgram(programs, binaries.pgCtl, args, timeoutMs + 5_000)
  return code === 0 || (await livePostmaster(cluster)) === undefined
}

/** The last lines of the server's log, newest last. */
export async function lastLogLines(log: string): Promise<string[]> {
  const text = (await readFile(log, 'utf8').catch(ignoreMissing)) ?? ''
  return text.trim().split('\n').slice(-logLinesKept)
}

/**
 * Settings that make a committed row durable. On the command line, where neither `ALTER SYSTEM` nor a file can override them. The server
 * does not log failed statements, because they contain email addresses; the client logs their errors.
 */
const durableSettings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  logging_collector: 'off',
  log_destination: 'stderr',
  // Time, process, SQLSTATE.
  log_line_prefix: '%m [%p] %e ',
}

function listenSettings({ host, port }: Endpoint): Record<string, string> {
  const isTcp = host === '127.0.0.1'
  return {
    port: String(port),
    listen_addresses: isTcp ? host : '',
    // A list: a comma in the path would split it.
    unix_socket_directories: isTcp ? '' : `"${host.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  }
}

/** Keeps the log of the previous server, which shows why it ended. */
function keepPreviousLog(log: string): void {
  try {
    renameSync(log, `${log}.1`)
  } catch (error) {
    ignoreMissing(error)
  }
}

/** After a reboot the process id may belong to another program. Without /proc, assumes that it does not. */
async function isPostgres(pid: number): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'postgres')
  return name.trim().startsWith('postgres')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port)
        else reject(new EmbeddedError('The embedded database found no free port on 127.0.0.1: set DATABASE_URL.'))
      })
    })
  })
}

function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined
  throw error
}
