import type { Config } from '../config.ts'
import type { Database } from '../platform/database/database.ts'
import { openEncryption } from '../sign-in/keys/encryption.ts'
import { encryptionKeysOf, issuerNamesOf } from '../sign-in/settings.ts'
import type { Endpoints } from '../webhooks/endpoints.ts'

/** Undefined without an encryption key, which encrypts the signing secrets of webhooks. */
export function openWebhooks(config: Config, database: Database): Endpoints | undefined {
  if (!config.issuer.isEnabled && !config.issuer.encryptionKey) return undefined
  return {
    database,
    issuers: issuerNamesOf(config),
    sealing: openEncryption(encryptionKeysOf(config)),
    settings: config.webhooks,
  }
}
