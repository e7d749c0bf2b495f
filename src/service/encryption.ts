import type { Logger } from 'pino'
import { openDailyBackups } from '../../embedded/index.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../platform/clock.ts'
import { dailyBackupWriter } from '../platform/database/backup/write-backup.ts'
import type { Database } from '../platform/database/database.ts'
import { migrationsFolder } from '../platform/database/schema.ts'
import { packageVersion } from '../platform/package-root.ts'
import type { BuiltInIssuer } from '../sign-in/issuer.ts'
import { keyOfDataDir } from '../sign-in/keys/encryption.ts'
import { openIssuer } from '../sign-in/open-issuer.ts'
import { type HashingLimits, hashingLimits } from '../sign-in/passwords/hashing-queue.ts'
import { encryptionKeysOf } from '../sign-in/settings.ts'

/** The built-in issuer. Undefined if it is disabled. */
export async function openBuiltInIssuer(
  config: Config,
  database: Database,
  {
    now,
    hashing = hashingLimits(config.limits),
    log,
  }: { now: Clock; hashing?: HashingLimits | undefined; log: Logger },
): Promise<BuiltInIssuer | undefined> {
  if (!config.issuer.isEnabled) return undefined
  const { accessTokenSeconds, sessionSeconds, sessionIdleSeconds, signUp } = config.issuer
  const { passwordLengthMin, passwordWords, breachedPasswords, pwnedPasswordsUrl, linkUrl, passkeys } = config.issuer
  const lifetimes = { accessTokenSeconds, sessionSeconds, sessionIdleSeconds }
  const rules = { signUp, passwordLengthMin, passwordWords, breachedPasswords, pwnedPasswordsUrl }
  const { signInsPerMinute } = config.limits
  const settings = { issuer: config.publicUrl, ...lifetimes, ...rules, linkUrl, passkeys, signInsPerMinute }
  const encryptionKeys = encryptionKeysOf(config)
  const sendsMail = config.mail !== undefined
  const proxies = config.outgoingProxies
  return openIssuer(database, { settings, encryptionKeys, proxies, now, hashing, log, sendsMail })
}

/** Only for the embedded database. For another database the operator makes backups. */
export function makesBackups({ database: { url }, backups: { kept } }: Config): boolean {
  return url === undefined && kept > 0
}

export function openBackups(config: Config, database: Database, { log, now }: { log: Logger; now: Clock }) {
  if (!makesBackups(config)) return undefined
  const encryptionKey = () => keyOfDataDir(encryptionKeysOf(config))
  const write = dailyBackupWriter({ database, folder: migrationsFolder(), release: packageVersion(), encryptionKey })
  return openDailyBackups({ ...config.backups, dataDir: config.dataDir, write, now, log })
}
