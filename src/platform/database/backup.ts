import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import type { Logger } from 'pino'
import { errorCode } from '../error-code.ts'
import { StartError } from '../start-error.ts'
import { findBinaries } from './binaries.ts'
import { startEmbedded } from './embedded.ts'
import { noteBackup } from './last-backup.ts'
import { layoutOf, makeDataDir } from './layout.ts'
import { clientConfig, type Link } from './link.ts'
import { findPrograms, unprivilegedNames } from './unprivileged.ts'

interface Copied {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** The content of `muster-backup.json`. Paths are relative, with `/`. */
interface Manifest {
  readonly format: 1
  readonly madeAt: string
  readonly postgres: string
  readonly folders: readonly string[]
  readonly files: readonly Copied[]
}

export interface BackupOptions {
  readonly dataDir: string
  /** The directory of the backup. It is complete or does not exist. */
  readonly folder: string
  readonly log: Logger
  /** Called after each chunk that was copied. */
  readonly onCopied: (bytes: number) => void
}

const manifestName = 'muster-backup.json'
/** Files beside the cluster: without them it refuses every connection, or its encrypted values cannot be read. */
const keyFiles = ['postgres-password', 'encryption-key']
/** Files that a start rebuilds or that belong to the running server (PostgreSQL documentation, "Backing Up the Data Directory"). */
const excluded =
  /^(postmaster\.(pid|opts)|pg_internal\.init.*|.*\/pg_internal\.init.*|(pg_wal|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans|pg_replslot|base\/pgsql_tmp)\/.+)$/

/** The approximate size of a backup. */
export async function clusterBytes(dataDir: string): Promise<number> {
  let bytes = 0
  for (const path of await pathsBelow(layoutOf(dataDir).cluster)) bytes += path.isFile ? path.bytes : 0
  return bytes
}

/**
 * Makes a physical copy of the embedded database, as of the moment at which it ends, while a service goes on working. PostgreSQL learns
 * that its files are being read (`pg_backup_start`), and a replication slot keeps the write-ahead log of the changes meanwhile. The log
 * is copied last; a start of the copy replays it and makes the files consistent. Throws `StartError`.
 */
export async function backUp({ dataDir, folder, log, onCopied }: BackupOptions): Promise<void> {
  const { cluster } = layoutOf(dataDir)
  if (await stat(folder).catch(() => undefined)) throw new StartError(`${folder} exists already: name a new directory.`)
  if (!(await stat(cluster).catch(() => undefined))) throw new StartError(`There is no database in ${dataDir}.`)
  const draft = `${folder}.unfinished`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  const server = await startEmbedded({ dataDir, mode: 'join', log })
  try {
    const copied = await copyRunning(server.superuser, { cluster, to: join(draft, 'postgres'), onCopied })
    const files = copied.files.map((file) => ({ ...file, path: `postgres/${file.path}` }))
    for (const name of keyFiles) {
      const one = await copyFile(join(dataDir, name), join(draft, name), onCopied)
      if (one) files.push({ ...one, path: name })
    }
    const folders = copied.folders.map((path) => `postgres/${path}`)
    const postgres = findBinaries().major
    const manifest: Manifest = { format: 1, madeAt: new Date().toISOString(), postgres, folders, files }
    await writeFile(join(draft, manifestName), `${JSON.stringify(manifest)}\n`, { mode: 0o600, flush: true })
    await rename(draft, folder)
    await noteBackup(dataDir, new Date(manifest.madeAt))
  } finally {
    await server.stop()
    await rm(draft, { recursive: true, force: true })
  }
}

async function copyRunning(
  superuser: Link,
  { cluster, to, onCopied }: { cluster: string; to: string; onCopied: (bytes: number) => void },
): Promise<{ files: Copied[]; folders: string[] }> {
  const client = new Client(clientConfig(superuser))
  await client.connect()
  try {
    // A temporary slot ends with this connection, even when this process is killed.
    await client.query(`select pg_create_physical_replication_slot('muster_backup_' || pg_backend_pid(), true, true)`)
    await client.query(`select pg_backup_start('muster backup', true)`)
    const folders: string[] = []
    const files: Copied[] = []
    await mkdir(to, { mode: 0o700 })
    for (const { path, isFile } of await pathsBelow(cluster)) {
      if (excluded.test(path)) continue
      if (!isFile) folders.push(path)
      const one = isFile ? await copyFile(join(cluster, path), join(to, path), onCopied) : await mkdirOf(join(to, path))
      if (one) files.push({ ...one, path })
    }
    const { rows } = await client.query<{ label: string; last: string }>(
      `select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(true)`,
    )
    const [{ label, last } = { label: '', last: '' }] = rows
    for (const name of await segmentsOf(cluster, label, last)) {
      const one = await copyFile(join(cluster, name), join(to, name), onCopied)
      if (!one) throw new StartError(`The backup failed: ${name} of the database was removed meanwhile. Try again.`)
      files.push({ ...one, path: name })
    }
    await writeFile(join(to, 'backup_label'), label, { mode: 0o600, flush: true })
    files.push({ path: 'backup_label', bytes: Buffer.byteLength(label), sha256: sha256Of(label) })
    return { files, folders }
  } finally {
    await client.end()
  }
}

/** The log segments from the one with which recovery starts to the one in which the backup ended. */
async function segmentsOf(cluster: string, label: string, last: string): Promise<readonly string[]> {
  const first = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1] ?? last
  const names = await readdir(join(cluster, 'pg_wal'))
  return names
    .filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last)
    .map((name) => `pg_wal/${name}`)
}

/** Makes the data directory from a backup, and never overwrites a database. Throws `StartError` where the backup is not as it was written. */
export async function restoreBackup({ dataDir, folder, onCopied }: Omit<BackupOptions, 'log'>): Promise<void> {
  const layout = layoutOf(dataDir)
  const manifest = await readManifest(folder)
  const { initdb, major } = findBinaries()
  if (manifest.postgres !== major)
    throw new StartError(
      `The backup is of PostgreSQL ${manifest.postgres}, and this Muster contains ${major}: restore it with the release that made it; muster dump and muster load then move its data.`,
    )
  await makeDataDir(layout)
  for (const name of ['postgres', ...keyFiles])
    if (await stat(join(dataDir, name)).catch(() => undefined))
      throw new StartError(
        `There is already a database in ${dataDir}: move it away, or restore into another data directory.`,
      )
  const { user } = await findPrograms({ initdb, dataDir, cluster: layout.cluster, names: unprivilegedNames })

  // By this name the next start recognises and removes what a killed restore leaves behind.
  const draft = join(dataDir, `postgres-unfinished-${process.pid}-restore`)
  try {
    await mkdir(draft, { mode: 0o700 })
    for (const path of ['postgres', ...manifest.folders])
      await mkdir(join(draft, path), { recursive: true, mode: 0o700 })
    for (const { path, sha256 } of manifest.files) {
      const one = await copyFile(join(folder, path), join(draft, path), onCopied)
      if (one?.sha256 !== sha256)
        throw new StartError(`The backup is damaged: ${path} has changed since it was written. Nothing was restored.`)
    }
    if (user) for (const path of await pathsBelow(draft)) await chown(join(draft, path.path), user.uid, user.gid)
    for (const name of keyFiles)
      if (manifest.files.some(({ path }) => path === name)) {
        // Muster reads these, and passes them on to the server.
        await chown(join(draft, name), process.getuid?.() ?? 0, process.getgid?.() ?? 0)
        await rename(join(draft, name), join(dataDir, name))
      }
    await rename(join(draft, 'postgres'), layout.cluster)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** The size of a restore. */
export async function backupBytes(folder: string): Promise<number> {
  return (await readManifest(folder)).files.reduce((sum, { bytes }) => sum + bytes, 0)
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => {
    throw new StartError(`${folder} is not a backup: it has no ${manifestName}.`)
  })
  const value: unknown = parsed(text)
  if (!isManifest(value)) throw new StartError(`${folder}/${manifestName} cannot be read: the backup is damaged.`)
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Refuses paths that lead out of the directory: a backup may come from an untrusted place. */
function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null || !('format' in value) || value.format !== 1) return false
  if (!('files' in value) || !('folders' in value) || !Array.isArray(value.files) || !Array.isArray(value.folders))
    return false
  const paths = [...value.folders, ...value.files.map((file) => file?.path)]
  return paths.every((path) => typeof path === 'string' && !path.startsWith('/') && !path.split('/').includes('..'))
}

interface Entry {
  readonly path: string
  readonly isFile: boolean
  readonly bytes: number
}

/** Directories before their content. Symbolic links would be tablespaces, which Muster does not make. */
async function pathsBelow(root: string): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  const names = (await readdir(root, { recursive: true })).sort()
  for (const name of names) {
    const entry = await stat(join(root, name)).catch(() => undefined)
    if (entry) entries.push({ path: name.split('\\').join('/'), isFile: entry.isFile(), bytes: entry.size })
  }
  return entries
}

async function mkdirOf(path: string): Promise<undefined> {
  await mkdir(path, { recursive: true, mode: 0o700 })
}

/** `undefined` where the file does not exist any more: a table was dropped meanwhile, and the write-ahead log has that. */
async function copyFile(
  from: string,
  to: string,
  onCopied: (bytes: number) => void,
): Promise<Omit<Copied, 'path'> | undefined> {
  const hash = createHash('sha256')
  let bytes = 0
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const target = await open(to, 'w', 0o600)
  try {
    for await (const chunk of createReadStream(from, { highWaterMark: 1_048_576 })) {
      hash.update(chunk)
      bytes += chunk.length
      await target.write(chunk)
      onCopied(chunk.length)
    }
    await target.sync()
    return { bytes, sha256: hash.digest('hex') }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    await rm(to)
    return undefined
  } finally {
    await target.close()
  }
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
