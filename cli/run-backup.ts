import { resolve } from 'node:path'
import { backUp, backupBytes, clusterBytes, restoreBackup } from '../src/platform/database/backup.ts'
import { endAllSessions } from '../src/sign-in/sessions/sessions.ts'
import { embeddedDataDir } from './embedded-data-dir.ts'
import { note } from './print.ts'
import { startProgress } from './progress.ts'
import { openLog, withDatabase } from './with-database.ts'

/** The work of `muster backup`. */
export async function runBackup(path: string): Promise<void> {
  const dataDir = embeddedDataDir()
  const folder = resolve(path)
  await withProgress('Copying', await clusterBytes(dataDir).catch(() => 0), `The backup is in ${folder}.`, (onBytes) =>
    backUp({ dataDir, folder, log: openLog(), onCopied: onBytes }),
  )
}

/** The work of `muster restore`. */
export async function runRestore(path: string, { endSessions }: { readonly endSessions?: true }): Promise<void> {
  const dataDir = embeddedDataDir()
  const folder = resolve(path)
  await withProgress('Restoring', await backupBytes(folder), `The database is in ${dataDir}.`, (onBytes) =>
    restoreBackup({ dataDir, folder, onCopied: onBytes }),
  )
  if (!endSessions) return
  const ended = await withDatabase(({ database }) => database.transaction(endAllSessions), { anySchema: true })
  note(`Ended ${ended} sessions.`)
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
