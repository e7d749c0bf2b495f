import { randomUUID } from 'node:crypto'
import { lockAccount } from '../identity/lock-account.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { createOutbox } from '../platform/mail/outbox.ts'
import type { Proxies } from '../platform/outgoing/proxies.ts'
import { Secret } from '../platform/secret.ts'
import { StartError } from '../platform/start-error.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { type EncryptionKeys, encryptionKeyPath, findEncryption, openEncryption } from './keys/encryption.ts'
import { checkSigningKey, openSigningKeys } from './keys/signing-keys.ts'
import { openBreachedPasswords } from './passwords/breached-passwords.ts'
import { createHashingQueue, type HashingLimits } from './passwords/hashing-queue.ts'
import { verifyPassword } from './passwords/passwords.ts'
import { createRefusalFloor } from './passwords/refusal-floor.ts'
import { outdatedHashes } from './passwords/stored-hashes.ts'
import { builtInEntry, mintAccessToken } from './sessions/access-tokens.ts'
import { insertSession, operatorMethod } from './sessions/sessions.ts'

interface IssuerOptions extends Pick<BuiltInIssuer, 'settings' | 'log'> {
  readonly encryptionKeys: EncryptionKeys
  readonly proxies: Proxies
  readonly now: Clock
  readonly hashing: HashingLimits
  /** Whether a mail server is configured. */
  readonly sendsMail: boolean
}

/**
 * Opens the built-in issuer. Creates the encryption key file and the first signing key if they are missing. Throws
 * `StartError` if the signing keys in the database cannot be decrypted, or if the list of breached passwords is
 * invalid.
 */
export async function openIssuer(
  database: Database,
  { settings, encryptionKeys, proxies, now, hashing, log, sendsMail }: IssuerOptions,
): Promise<BuiltInIssuer> {
  // Checked before a key is created: a new key beside old signing keys would invalidate every token and hide the loss.
  if ((await checkSigningKey(database, findEncryption(encryptionKeys))) === 'undecryptable')
    throw new StartError(
      `The signing keys in the database cannot be decrypted: restore ${encryptionKeyPath(encryptionKeys)} from a backup, or set MUSTER_ENCRYPTION_KEY to the key that encrypted them.`,
    )
  const breached = await openBreachedPasswords(settings, { proxies, log })
  const encryption = openEncryption(encryptionKeys)
  const keys = await openSigningKeys(database, encryption, now)
  return {
    database,
    settings,
    encryption,
    keys,
    ...(sendsMail && { outbox: createOutbox(encryption) }),
    hashing: createHashingQueue(hashing, now),
    breached,
    refusals: createRefusalFloor({
      outdated: () => outdatedHashes(database),
      measureMs: timeOfComparison,
      now,
      log,
    }),
    now,
    log,
    entry: builtInEntry(keys, settings),
    async tokenFor(accountId) {
      const session = { accountId, amr: [operatorMethod], lifeSeconds: settings.accessTokenSeconds }
      const opened = await database.transaction(async (rows) => {
        await lockAccount(rows, accountId)
        return insertSession(rows, session)
      })
      return mintAccessToken(keys, settings, opened, now)
    },
  }
}

/** Bypasses the hashing queue: runs once per scheme and cost. */
async function timeOfComparison(stored?: string): Promise<number> {
  const startedAtMs = performance.now()
  await verifyPassword(stored, new Secret(randomUUID()))
  return performance.now() - startedAtMs
}
