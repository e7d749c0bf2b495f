import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from './error.ts'

/** The layout of the embedded database inside the data directory. */
export interface Layout {
  readonly dataDir: string
  readonly cluster: string
  readonly socketDir: string
  readonly passwordFile: string
  readonly log: string
  /** The folder of the daily backups. */
  readonly backups: string
}

export function layoutOf(dataDir: string): Layout {
  return {
    dataDir,
    cluster: join(dataDir, 'postgres'),
    socketDir: join(dataDir, 'postgres-socket'),
    passwordFile: join(dataDir, 'postgres-password'),
    log: join(dataDir, 'postgres.log'),
    backups: join(dataDir, 'backups'),
  }
}

/** Creates the data directory. For root it is traversable by others, so that PostgreSQL's user reaches its files inside. */
export async function makeDataDir({ dataDir }: Layout): Promise<void> {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  if (await makeFolder(dataDir, mode)) await chmod(dataDir, mode)
}

/**
 * False if it exists. Not recursive: Node's recursive `mkdir` never returns if a parent can neither be found nor created, as below /proc.
 */
async function makeFolder(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode })
    return true
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return false
    if (code !== 'ENOENT' || dirname(path) === path) throw error
  }
  await makeFolder(dirname(path), mode)
  await mkdir(path, { mode })
  return true
}
