import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the embedded database lives inside the data directory. */
export interface Layout {
  readonly dataDir: string
  readonly cluster: string
  readonly socketDir: string
  readonly passwordFile: string
  readonly log: string
}

export function layoutOf(dataDir: string): Layout {
  return {
    dataDir,
    cluster: join(dataDir, 'postgres'),
    socketDir: join(dataDir, 'postgres-socket'),
    passwordFile: join(dataDir, 'postgres-password'),
    log: join(dataDir, 'postgres.log'),
  }
}

/** Makes the data directory. As root it stays passable, so that PostgreSQL's user reaches its files inside. */
export async function makeDataDir({ dataDir }: Layout): Promise<void> {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  const made = await mkdir(dataDir, { recursive: true, mode })
  if (made !== undefined) await chmod(dataDir, mode)
}
