import { existsSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Config } from '../../src/config.ts'
import { type BackupEvents, type Manifest, totalRows } from '../../src/platform/database/backup/manifest.ts'
import { restoreBackup, verifyBackup } from '../../src/platform/database/backup/restore-backup.ts'
import { writeBackup } from '../../src/platform/database/backup/write-backup.ts'
import type { Rows } from '../../src/platform/database/database.ts'
import { migrationsFolder } from '../../src/platform/database/schema.ts'
import { packageVersion } from '../../src/platform/package-root.ts'
import { Secret } from '../../src/platform/secret.ts'
import { encryptionKeyPath, findEncryption, hasUndecryptable, keyOfDataDir } from '../../src/sign-in/keys/encryption.ts'
import { encryptionKeysOf } from '../../src/sign-in/settings.ts'
import { Fault } from '../errors.ts'
import { note } from '../print.ts'
import { numbers, type Progress, startProgress } from '../progress.ts'
import { withConfig } from '../with-database.ts'

export function backup(command: Command): void {
  command
    .description(
      'Write all rows of the embedded database, or of DATABASE_URL, to a new compressed file, from one snapshot. The service can keep running. muster restore reads the file into any PostgreSQL version that Muster supports. A backup of the embedded database contains the encryption key, unless MUSTER_ENCRYPTION_KEY is set. Only the owner of the file can read it.',
    )
    .argument('<file>', 'File to create. It must not exist.')
    .option('--passphrase-file <file>', 'Encrypt the backup with the passphrase in this file.')
    .addHelpText('after', backupExamples)
    .action(runBackup)
}

export function restore(command: Command): void {
  command
    .description(
      'Verify a backup and restore it into a new embedded database or the empty database of DATABASE_URL. Then apply migrations that are newer than the backup. Rejects a database with data, a damaged file, a backup of a newer schema, and a different encryption key. An interrupted restore leaves no data and can be repeated. Run this before the first start of the service.',
    )
    .argument('<file>', 'File that muster backup created.')
    .option('--passphrase-file <file>', 'File with the passphrase of an encrypted backup.')
    .option('--end-sessions', 'End all sessions. All users must sign in again.')
    .addHelpText('after', restoreExamples)
    .action(runRestore)
}

const backupExamples = `
Examples:
  muster backup /backups/muster-2026-11-22.backup
  muster backup /backups/muster-2026-11-22.backup --passphrase-file ./passphrase`

const restoreExamples = `
Examples:
  MUSTER_DATA_DIR=/new/data muster restore muster.backup
  DATABASE_URL=postgres://… MUSTER_ENCRYPTION_KEY_FILE=./data/encryption-key muster restore muster.backup`

interface Passphrase {
  readonly passphraseFile?: string
}

async function runBackup(file: string, { passphraseFile }: Passphrase): Promise<void> {
  const path = resolve(file)
  const passphrase = readPassphrase(passphraseFile)
  await withConfig(
    async ({ database, config }) => {
      const encryptionKey = keyOfDataDir(encryptionKeysOf(config))
      const made = { folder: migrationsFolder(), path, release: packageVersion(), encryptionKey, passphrase }
      await withRowProgress(
        'Backing up',
        (events) => writeBackup({ database, ...made, ...events }),
        (manifest) => `Backed up ${rowsText(manifest)} to ${path}.`,
      )
      note(keyAdvice(config, encryptionKey !== undefined))
    },
    { anySchema: true },
  )
}

function keyAdvice({ issuer }: Config, isInside: boolean): string {
  if (isInside) return 'The backup contains the encryption key. Protect it like the data directory.'
  if (issuer.encryptionKey)
    return 'Also keep MUSTER_ENCRYPTION_KEY, which is not in the backup: it encrypts the signing keys and second factors.'
  return 'The backup contains nothing that is encrypted with a key of Muster.'
}

function readPassphrase(file: string | undefined): Secret | undefined {
  if (file === undefined) return undefined
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch {
    throw new Fault(`Cannot read the passphrase file ${file}.`)
  }
  if (text === '') throw new Fault(`The passphrase file ${file} is empty.`)
  return new Secret(text)
}

async function runRestore(
  file: string,
  { passphraseFile, endSessions }: Passphrase & { readonly endSessions?: true },
): Promise<void> {
  const path = resolve(file)
  const passphrase = readPassphrase(passphraseFile)
  const folder = migrationsFolder()
  // Verified before the database is opened, because opening creates an embedded database.
  const manifest = await withRowProgress(
    'Verifying',
    (events) => verifyBackup(path, folder, { ...events, passphrase }),
    ({ madeAt, muster, postgres }) =>
      `The backup is complete. Created ${madeAt} by Muster ${muster}, PostgreSQL ${postgres}.`,
  )
  await withConfig(
    async ({ database, config, log }) => {
      let ended: number | undefined
      await withKeyOf(manifest, config, async () => {
        const beforeCommit = async (rows: Rows) => {
          await refuseOtherKey(rows, config)
          if (!endSessions) return
          const { endAllSessions } = await import('../../src/sign-in/sessions/sessions.ts')
          ended = await endAllSessions(rows)
        }
        await withRowProgress(
          'Restoring',
          (events) => restoreBackup({ database, folder, path, passphrase, log, beforeCommit, ...events }),
          () => `Restored ${rowsText(manifest)}.`,
        )
      })
      if (ended !== undefined) note(`Ended ${numbers.format(ended)} sessions.`)
    },
    { anySchema: true },
  )
}

/** Copies the key of the backup into a data directory that has none, and removes it if `work` fails. */
async function withKeyOf({ encryptionKey }: Manifest, config: Config, work: () => Promise<void>): Promise<void> {
  const path = encryptionKeyPath(config)
  if (encryptionKey === undefined || config.issuer.encryptionKey || config.database.url || existsSync(path))
    return work()
  await writeFile(path, encryptionKey, { mode: 0o600, flag: 'wx', flush: true })
  try {
    await work()
  } catch (error) {
    await rm(path)
    throw error
  }
}

async function refuseOtherKey(rows: Rows, config: Config): Promise<void> {
  if (!config.issuer.isEnabled) return
  if (!(await hasUndecryptable(rows, findEncryption(encryptionKeysOf(config))))) return
  const remedy = config.issuer.encryptionKey
    ? 'Set MUSTER_ENCRYPTION_KEY to that key'
    : `Copy the file encryption-key of the other data directory to ${encryptionKeyPath(config)}, or set MUSTER_ENCRYPTION_KEY to its key`
  throw new Fault(
    `Nothing was restored: another key encrypted the signing keys or second factors in the backup. ${remedy}.`,
  )
}

function rowsText(manifest: Manifest): string {
  return `${numbers.format(totalRows(manifest))} rows`
}

/** Shows progress in rows, and a sentence at the end. */
async function withRowProgress<Result>(
  title: string,
  work: (events: BackupEvents) => Promise<Result>,
  sentenceOf: (result: Result) => string,
): Promise<Result> {
  let progress: Progress | undefined
  try {
    const result = await work({
      onManifest: (manifest) => {
        progress = startProgress(title, totalRows(manifest), 'rows')
      },
      onRows: (rows) => progress?.advance(rows),
    })
    progress?.done(sentenceOf(result))
    return result
  } catch (error) {
    progress?.failed()
    throw error
  }
}
