import { resolve } from 'node:path'
import { readConfig } from '../src/config.ts'
import { backUp, backupBytes, clusterBytes, restoreBackup } from '../src/platform/database/backup.ts'
import { Fault } from './fault.ts'
import { startProgress } from './progress.ts'
import { openLog } from './with-database.ts'

/** The work of `muster backup`. */
export async function runBackup(path: string): Promise<void> {
  const dataDir = embeddedDataDir()
  const folder = resolve(path)
  await withProgress('Copying', await clusterBytes(dataDir).catch(() => 0), `The backup is in ${folder}.`, (onBytes) =>
    backUp({ dataDir, folder, log: openLog(), onCopied: onBytes }),
  )
}

/** The work of `muster restore`. */
export async function runRestore(path: string): Promise<void> {
  const dataDir = embeddedDataDir()
  const folder = resolve(path)
  await withProgress('Restoring', await backupBytes(folder), `The database is in ${dataDir}.`, (onBytes) =>
    restoreBackup({ dataDir, folder, onCopied: onBytes }),
  )
}

async function withProgress(
  title: string,
  bytes: number,
  sentence: string,
  work: (onBytes: (bytes: number) => void) => Promise<void>,
): Promise<void> {
  const progress = startProgress(title, Math.ceil(bytes / mebibyte), 'MiB')
  try {
    await work((some) => progress.advance(some / mebibyte))
    progress.done(sentence)
  } catch (error) {
    progress.failed()
    throw error
  }
}

const mebibyte = 1_048_576

function embeddedDataDir(): string {
  const { database, dataDir } = readConfig(process.env)
  if (database.url)
    throw new Fault('This command is for the embedded database. With DATABASE_URL, use pg_basebackup or pg_dump.')
  return dataDir
}
