import { chmod, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../error-code.ts'

/** A file of the data directory whose time is that of the last backup. */
function fileOf(dataDir: string): string {
  return join(dataDir, 'last-backup')
}

export async function noteBackup(dataDir: string, at: Date): Promise<void> {
  const file = fileOf(dataDir)
  await writeFile(file, `${at.toISOString()}\n`)
  // The service may run as another user than the one who makes backups.
  await chmod(file, 0o644)
  await utimes(file, at, at)
}

/** Seconds since 1970; 0 if no backup was made since the database exists. */
export async function lastBackupSeconds(dataDir: string): Promise<number> {
  try {
    return (await stat(fileOf(dataDir))).mtimeMs / 1_000
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0
    throw error
  }
}
