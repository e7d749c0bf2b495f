import { existsSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../src/config.ts'
import { type Manifest, rowsOf } from '../src/platform/database/backup/manifest.ts'
import { restoreBackup, verifyBackup } from '../src/platform/database/backup/restore-backup.ts'
import { writeBackup } from '../src/platform/database/backup/write-backup.ts'
import type { Rows } from '../src/platform/database/database.ts'
import { migrationsFolder } from '../src/platform/database/schema.ts'
import { packageVersion } from '../src/platform/package-root.ts'
import { Secret } from '../src/platform/secret.ts'
import { encryptionKeysOf } from '../src/service/encryption.ts'
import { encryptionKeyPath, findEncryption, keyOfDataDir } from '../src/sign-in/keys/encryption-key.ts'
import { hasUndecryptable } from '../src/sign-in/keys/re-encrypt.ts'
import { endAllSessions } from '../src/sign-in/sessions/sessions.ts'
import { Fault } from './fault.ts'
import { note } from './print.ts'
import { withRowProgress } from './row-progress.ts'
import { withDatabase } from './with-database.ts'

interface Passphrase {
  readonly passphraseFile?: string
}

/** The work of `muster backup`. */
export async function runBackup(file: string, { passphraseFile }: Passphrase): Promise<void> {
  const path = resolve(file)
  const passphrase = readPassphrase(passphraseFile)
  await withDatabase(
    async ({ database, config }) => {
      const encryptionKey = keyOfDataDir(encryptionKeysOf(config))
      const made = { folder: migrationsFolder(), path, release: packageVersion(), encryptionKey, passphrase }
      await withRowProgress(
        'Backing up',
        (events) => writeBackup({ database, ...made, ...events }),
        (manifest) => `${rowsText(manifest)} are in ${path}.`,
      )
      note(keyAdvice(config, encryptionKey !== undefined))
    },
    { anySchema: true },
  )
}

function keyAdvice({ issuer }: Config, isInside: boolean): string {
  if (isInside) return 'The encryption key is in the file: protect it as you protect the data directory.'
  if (issuer.encryptionKey)
    return 'Signing keys and second factors in it are encrypted with MUSTER_ENCRYPTION_KEY, which is not in the file: keep that key, too.'
  return 'Nothing in the file is encrypted with a key of Muster.'
}

function readPassphrase(file: string | undefined): Secret | undefined {
  if (file === undefined) return undefined
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch {
    throw new Fault(`${file} cannot be read: name a file with the passphrase.`)
  }
  if (text === '') throw new Fault(`${file} is empty: write a passphrase into it.`)
  return new Secret(text)
}

/** The work of `muster restore`. */
export async function runRestore(
  file: string,
  { passphraseFile, endSessions }: Passphrase & { readonly endSessions?: true },
): Promise<void> {
  const path = resolve(file)
  const passphrase = readPassphrase(passphraseFile)
  const folder = migrationsFolder()
  // Before the database is opened, because that would make an embedded one.
  const manifest = await withRowProgress(
    'Verifying',
    (events) => verifyBackup(path, folder, { ...events, passphrase }),
    ({ madeAt, muster, postgres }) => `The backup is complete: ${madeAt}, Muster ${muster}, PostgreSQL ${postgres}.`,
  )
  await withDatabase(
    async ({ database, config, log }) => {
      let ended: number | undefined
      await withKeyOf(manifest, config, async () => {
        const beforeCommit = async (rows: Rows) => {
          await refuseOtherKey(rows, config)
          if (endSessions) ended = await endAllSessions(rows)
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

/** Puts the key of the backup into a data directory without one, and takes it away again where `work` fails. */
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
    ? 'set MUSTER_ENCRYPTION_KEY to that key'
    : `copy the file encryption-key of the other data directory to ${encryptionKeyPath(config)}, or set MUSTER_ENCRYPTION_KEY to its key`
  throw new Fault(
    `Signing keys or second factors in the backup were encrypted with another key: ${remedy}. Nothing was restored.`,
  )
}

function rowsText(manifest: Manifest): string {
  return `${numbers.format(rowsOf(manifest))} rows`
}

const numbers = new Intl.NumberFormat('en')
