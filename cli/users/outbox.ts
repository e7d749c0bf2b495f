import type { Config } from '../../src/config.ts'
import { createOutbox, type Outbox } from '../../src/platform/mail/outbox.ts'
import { openEncryption } from '../../src/sign-in/keys/encryption.ts'
import { encryptionKeysOf } from '../../src/sign-in/settings.ts'

/** Queues mail for the running service to send. Returns undefined if the service sends no mail. */
export function outboxOf(config: Config): Outbox | undefined {
  if (!config.mail || !config.issuer.isEnabled) return undefined
  return createOutbox(openEncryption(encryptionKeysOf(config)))
}
