import type { Config } from '../src/config.ts'
import { createOutbox, type Outbox } from '../src/platform/mail/outbox.ts'
import { encryptionKeysOf } from '../src/service/encryption.ts'
import { openEncryption } from '../src/sign-in/keys/encryption-key.ts'

/** Takes the mails that a command causes; the running service sends them. `undefined` where it sends none. */
export function outboxOf(config: Config): Outbox | undefined {
  if (!config.mail || !config.issuer.isEnabled) return undefined
  return createOutbox(openEncryption(encryptionKeysOf(config)))
}
