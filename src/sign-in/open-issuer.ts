import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { builtInIssuer } from '../identity/issuers/names.ts'
import type { Issuer } from '../identity/issuers/verify-token.ts'
import { lockAccount } from '../identity/lock-account.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { createOutbox } from '../platform/mail/outbox.ts'
import { createSender, type SenderParts } from '../platform/mail/sender.ts'
import type { MailSettings } from '../platform/mail/settings.ts'
import { readTemplates } from '../platform/mail/templates.ts'
import { openTransport } from '../platform/mail/transport.ts'
import type { Proxies } from '../platform/outgoing/proxies.ts'
import { Secret } from '../platform/secret.ts'
import { StartError } from '../platform/start-error.ts'
import { startWorkLoop } from '../platform/work-loop.ts'
import { type BuiltInIssuer, builtInAudience, type TokenSettings } from './issuer.ts'
import { type EncryptionKeys, encryptionKeyPath, findEncryption, openEncryption } from './keys/encryption.ts'
import { checkSigningKey, openSigningKeys, type SigningKeys, signingAlgorithm } from './keys/signing-keys.ts'
import { handleMailRequests } from './links/mail-requests.ts'
import { openBreachedPasswords } from './passwords/breached-passwords.ts'
import { createHashingQueue, createRefusalFloor, type HashingLimits } from './passwords/hashing-queue.ts'
import { verifyPassword } from './passwords/passwords.ts'
import { outdatedHashes } from './passwords/stored-hashes.ts'
import { insertSession, mintAccessToken, operatorMethod } from './sessions/open-session.ts'

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
    refusals: createRefusalFloor({ outdated: () => outdatedHashes(database), measureMs: timeOfComparison, now, log }),
    now,
    log,
    entry: builtInEntry(keys, settings),
    async tokenFor(accountId) {
      const session = { accountId, amr: [operatorMethod], lifeSeconds: settings.accessTokenSeconds }
      const opened = await database.transaction(async (rows) => {
        await lockAccount(rows, accountId)
        return insertSession(rows, session)
      })
      return mintAccessToken({ keys, settings, now }, opened)
    },
  }
}

/** The built-in issuer's entry in the registry of trusted issuers. */
function builtInEntry(keys: SigningKeys, settings: TokenSettings): Issuer {
  return {
    issuer: settings.issuer,
    identityIssuer: builtInIssuer,
    keys: keys.verifying,
    algorithms: [signingAlgorithm],
    audience: [builtInAudience],
    typ: 'at+jwt',
    claims: { subject: 'sub', session: 'sid', email: 'email', emailVerified: 'email_verified', name: 'name' },
    lifetimeMaxSeconds: settings.accessTokenSeconds,
    // Another node may have issued the token, and clocks differ.
    futureToleranceSeconds: 60,
    isBuiltIn: true,
    trustsEmail: false,
    provisions: false,
    refusesIdTokens: true,
  }
}

/** Bypasses the hashing queue: runs once per scheme and cost. */
async function timeOfComparison(stored?: string): Promise<number> {
  const startedAtMs = performance.now()
  await verifyPassword(stored, new Secret(randomUUID()))
  return performance.now() - startedAtMs
}

export interface MailWork {
  /** Handles queued requests and sends due mails. */
  run(signal?: AbortSignal): Promise<void>
  close(): void
}

/** Throws `StartError` for an invalid template. */
export async function openMailWork(
  issuer: BuiltInIssuer,
  settings: MailSettings,
  instruments: Pick<SenderParts, 'log' | 'traceJob'>,
): Promise<MailWork> {
  const transport = await openTransport(settings)
  const parts: SenderParts = {
    rows: issuer.database,
    sealing: issuer.encryption,
    settings,
    templates: readTemplates(settings.folder),
    transport,
    service: serviceName(issuer.settings.issuer),
    ...instruments,
  }
  const sender = createSender(parts)
  return {
    async run(signal) {
      await handleMailRequests(issuer)
      await sender.sendDue(signal)
    },
    close: transport.close,
  }
}

/** The name of the service in mails. */
export function serviceName(publicUrl: string): string {
  return new URL(publicUrl).host
}

export function startMailLoop(work: MailWork, log: Pick<Logger, 'warn'>): { stop(): Promise<void> } {
  return startWorkLoop(work, (error) => log.warn({ err: error }, 'could not send mails'))
}
