import { randomBytes } from 'node:crypto'
import { chown, link, mkdir, open, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import type { Layout } from './directory.ts'
import { EmbeddedError, errorCode } from './error.ts'
import { isAlive, type Programs, runProgram } from './programs.ts'

const initdbTimeoutMs = 120_000
const unfinishedPrefix = 'postgres-unfinished-'

/**
 * The password of the database: 256 random bits in a file that only its owner can read. If several processes start at the same time, the
 * first creates it for all.
 */
export async function readPassword({ passwordFile, cluster }: Layout): Promise<string> {
  // In this order, because the password is created before the cluster.
  const isMade = await exists(cluster)
  if (!(await exists(passwordFile))) {
    if (isMade) {
      throw new EmbeddedError(
        `${passwordFile}, the password of the database in ${cluster}, is missing: restore it from a backup.`,
      )
    }
    await writeOnce(passwordFile, randomBytes(32).toString('base64url'))
  }
  const text = (await readFile(passwordFile, 'utf8')).trim()
  if (text === '') throw new EmbeddedError(`${passwordFile} is empty: restore it from a backup.`)
  return text
}

/** Creates the database cluster if there is none. Rejects a directory that is not a complete cluster of this major version. */
export async function ensureCluster(
  layout: Layout,
  binaries: Binaries,
  programs: Programs,
  password: string,
): Promise<void> {
  await removeUnfinished(layout)
  if (!(await isCluster(layout, binaries))) await makeCluster(layout, binaries, programs, password)
  await mkdir(layout.socketDir, { recursive: true, mode: 0o700 })
  if (programs.user) await chown(layout.socketDir, programs.user.uid, programs.user.gid)
}

async function isCluster({ cluster, backups }: Layout, { major }: Binaries): Promise<boolean> {
  const entries = (await exists(cluster)) ? await readdir(cluster) : []
  if (entries.length === 0) return false
  if (!entries.includes('PG_VERSION') || !(await exists(join(cluster, 'global', 'pg_control')))) {
    throw new EmbeddedError(
      `${cluster} is not a complete PostgreSQL database (PG_VERSION or global/pg_control is missing): restore it from a backup, or move ` +
        'it away to start with an empty one.',
    )
  }
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  if (version === major) return true
  throw new EmbeddedError(
    `${cluster} was created by PostgreSQL ${version}, and this Muster contains PostgreSQL ${major}: with the release that created it run ` +
      `"muster backup muster.backup", or use its last daily backup in ${backups}; then with this release run ` +
      '"MUSTER_DATA_DIR=<new folder> muster restore muster.backup".',
  )
}

/** Created under another name and renamed when complete, so that a kill never leaves an incomplete cluster. */
async function makeCluster(layout: Layout, binaries: Binaries, programs: Programs, password: string): Promise<void> {
  const work = join(layout.dataDir, `${unfinishedPrefix}${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    await mkdir(work, { mode: 0o700 })
    const passwordFile = join(work, 'password')
    await writeFile(passwordFile, password, { mode: 0o600, flush: true })
    if (programs.user) {
      for (const path of [passwordFile, work]) await chown(path, programs.user.uid, programs.user.gid)
    }
    const made = join(work, 'postgres')
    const { code, output } = await runProgram(
      programs,
      binaries.initdb,
      initdbArgs(made, passwordFile),
      initdbTimeoutMs,
    )
    if (code !== 0) throw new EmbeddedError(explainInitdb(layout.dataDir, output))
    await renameIntoPlace(made, layout)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** PostgreSQL's built-in C.UTF-8 sorts by code point, on every machine and after every upgrade. */
function initdbArgs(made: string, passwordFile: string): string[] {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const safety = ['--data-checksums', '--auth=scram-sha-256', '--username=postgres', `--pwfile=${passwordFile}`]
  // initdb writes these into the configuration file, where an operator may change them.
  const settings = [
    'shared_buffers=128MB',
    'max_connections=100',
    'timezone=UTC',
    'log_timezone=UTC',
    'cluster_name=muster',
  ]
  return ['-D', made, ...locale, ...safety, '--no-instructions', ...settings.flatMap((setting) => ['-c', setting])]
}

async function renameIntoPlace(made: string, { cluster, dataDir }: Layout): Promise<void> {
  try {
    await rename(made, cluster)
  } catch (error) {
    // Another process was faster: use its cluster and remove ours.
    if (errorCode(error) === 'ENOTEMPTY' || errorCode(error) === 'EEXIST') return
    throw error
  }
  await syncDirectory(dataDir)
}

/** Removes the files of killed starts, by name, if the process in the name has ended. */
async function removeUnfinished({ dataDir }: Layout): Promise<void> {
  for (const entry of await readdir(dataDir)) {
    if (!entry.startsWith(unfinishedPrefix)) continue
    const pid = Number.parseInt(entry.slice(unfinishedPrefix.length), 10)
    if (pid !== process.pid && isAlive(pid)) continue
    // An initdb of a killed start may still be writing: then a later start removes it.
    await rm(join(dataDir, entry), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
  }
}

/** Writes the whole file or nothing, and never overwrites one. */
async function writeOnce(path: string, text: string): Promise<void> {
  const draft = `${path}-${process.pid}-${randomBytes(4).toString('hex')}`
  await writeFile(draft, `${text}\n`, { mode: 0o600, flush: true })
  try {
    await link(draft, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path)
  await directory.sync().finally(() => directory.close())
}

function explainInitdb(dataDir: string, output: string): string {
  if (output.includes('could not look up effective user ID'))
    return `The embedded database needs a name for the user ${process.getuid?.()}, which is missing from /etc/passwd of this machine or image: run Muster as another user, add the user there, or set DATABASE_URL.`
  const reason =
    output.split('\n').findLast((line) => line.startsWith('initdb: error') || line.includes('FATAL')) ?? output
  return `The embedded database could not be created in ${dataDir} (${reason.trim()}): free space or fix the directory, or set DATABASE_URL.`
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => (errorCode(error) === 'ENOENT' ? false : Promise.reject(error)),
  )
}
