import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'

/** Such as `1.18.0`; undefined where it is not installed. */
export const pgbouncerVersion = versionOf()

/** The parameters of Muster's connections, which PgBouncer refuses unless it is to ignore them. */
export const ignoredParameters = 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options'

export interface PgbouncerOptions {
  readonly mode: 'session' | 'transaction'
  readonly ignoresParameters: boolean
}

/** A PgBouncer in front of the database of the URL. Returns the URL through it, and is stopped at the end of the test. */
export async function startPgbouncer(url: string, { mode, ignoresParameters }: PgbouncerOptions): Promise<string> {
  const target = new URL(url)
  // Of the tests' own clients: Muster sends its own.
  target.searchParams.delete('options')
  const folder = mkdtempSync(join(tmpdir(), 'muster-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const users = join(folder, 'users.txt')
  writeFileSync(users, `"${decodeURIComponent(target.username)}" "${decodeURIComponent(target.password)}"\n`)
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(
    config,
    `[databases]
* = host=${target.hostname} port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
${ignoresParameters ? `ignore_startup_parameters = ${ignoredParameters}` : ''}
${hasPreparedStatements() ? 'max_prepared_statements = 0' : ''}
`,
  )
  // As root it refuses to work.
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', ['-q', ...asUser, config], { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
    rmSync(folder, { recursive: true, force: true })
  })
  target.port = String(port)
  while (!(await listens(target.href))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer has ended: ${log}`)
  }
  return target.href
}

/** Whether it answers a client that sends no parameters. */
async function listens(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') return false
    throw error
  }
}

function versionOf(): string | undefined {
  try {
    return /PgBouncer ([\d.]+)/.exec(execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' }))?.[1]
  } catch {
    return undefined
  }
}

/** 1.21 and later have the setting, and some of them a default that is not 0. */
function hasPreparedStatements(): boolean {
  const [major = 0, minor = 0] = (pgbouncerVersion ?? '').split('.').map(Number)
  return major > 1 || minor >= 21
}
