import { resolve } from 'node:path'
import type { Config } from '../src/config.ts'
import { encryptionKeysOf } from '../src/parts.ts'
import type { Rows } from '../src/platform/database/database.ts'
import { loadDump, verifyDump } from '../src/platform/database/dump/load-dump.ts'
import { type Manifest, rowsOf } from '../src/platform/database/dump/manifest.ts'
import { writeDump } from '../src/platform/database/dump/write-dump.ts'
import { migrationsFolder } from '../src/platform/database/schema.ts'
import { packageVersion } from '../src/platform/package-root.ts'
import { encryptionKeyPath, findEncryption } from '../src/sign-in/keys/encryption-key.ts'
import { hasUndecryptable } from '../src/sign-in/keys/undecryptable.ts'
import { endAllSessions } from '../src/sign-in/sessions/sessions.ts'
import { Fault } from './fault.ts'
import { note } from './print.ts'
import { withRowProgress } from './row-progress.ts'
import { withDatabase } from './with-database.ts'

/** The work of `muster dump`. */
export async function runDump(file: string): Promise<void> {
  const path = resolve(file)
  await withDatabase(
    async ({ database, config }) => {
      const options = { database, folder: migrationsFolder(), path, release: packageVersion() }
      await withRowProgress(
        'Dumping',
        (events) => writeDump({ ...options, ...events }),
        (manifest) => `${rowsText(manifest)} are in ${path}.`,
      )
      if (config.issuer.isEnabled) note(keyAdvice(config))
    },
    { anySchema: true },
  )
}

function keyAdvice(config: Config): string {
  const place = config.issuer.encryptionKey ? 'MUSTER_ENCRYPTION_KEY' : encryptionKeyPath(config)
  return `Signing keys and second factors in it are encrypted with the key in ${place}, which is not in the file: keep that key, too.`
}

/** The work of `muster load`. */
export async function runLoad(file: string, { endSessions }: { readonly endSessions?: true }): Promise<void> {
  const path = resolve(file)
  const folder = migrationsFolder()
  // Before the database is opened, because that would make an embedded one.
  const manifest = await withRowProgress(
    'Verifying',
    (events) => verifyDump(path, folder, events),
    ({ madeAt, muster, postgres }) => `The dump is complete: ${madeAt}, Muster ${muster}, PostgreSQL ${postgres}.`,
  )
  await withDatabase(
    async ({ database, config, log }) => {
      let ended: number | undefined
      const beforeCommit = async (rows: Rows) => {
        await refuseOtherKey(rows, config)
        if (endSessions) ended = await endAllSessions(rows)
      }
      await withRowProgress(
        'Loading',
        (events) => loadDump({ database, folder, path, log, beforeCommit, ...events }),
        () => `Loaded ${rowsText(manifest)}.`,
      )
      if (ended !== undefined) note(`Ended ${numbers.format(ended)} sessions.`)
    },
    { anySchema: true },
  )
}

async function refuseOtherKey(rows: Rows, config: Config): Promise<void> {
  if (!config.issuer.isEnabled) return
  if (!(await hasUndecryptable(rows, findEncryption(encryptionKeysOf(config))))) return
  const remedy = config.issuer.encryptionKey
    ? 'set MUSTER_ENCRYPTION_KEY to that key'
    : `copy the file encryption-key of the other data directory to ${encryptionKeyPath(config)}, or set MUSTER_ENCRYPTION_KEY to its key`
  throw new Fault(
    `Signing keys or second factors in the dump were encrypted with another key: ${remedy}. Nothing was loaded.`,
  )
}

function rowsText(manifest: Manifest): string {
  return `${numbers.format(rowsOf(manifest))} rows`
}

const numbers = new Intl.NumberFormat('en')
