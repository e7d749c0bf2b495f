import { Problem } from '../../src/platform/problems.ts'
import { openEncryption, reencryptSecrets } from '../../src/sign-in/keys/encryption.ts'
import { rotateSigningKey } from '../../src/sign-in/keys/signing-keys.ts'
import { encryptionKeysOf } from '../../src/sign-in/settings.ts'
import { webhookSecretColumns } from '../../src/webhooks/signing.ts'
import { Fault } from '../errors.ts'
import { note, print, printJson } from '../print.ts'
import { withConfig } from '../with-database.ts'

interface RotateOptions {
  readonly withdrawOld?: true
  readonly json?: true
}

/** `muster keys rotate-signing`. */
export async function rotateSigning({ withdrawOld, json }: RotateOptions): Promise<void> {
  await withConfig(async ({ database, config }) => {
    const encryption = openEncryption(encryptionKeysOf(config))
    const options = { withdrawsOld: withdrawOld === true }
    const { kid, signsFrom } = await rotateSigningKey(database, encryption, options).catch(explain)
    if (json) printJson({ kid, signsFrom: signsFrom.toISOString() })
    else print(`${kid} signs from ${signsFrom.toISOString()}`)
  })
}

function explain(error: unknown): never {
  if (error instanceof Problem && error.code === 'rotation_running')
    throw new Fault(
      'The last rotation is not finished. A new key signs ten minutes after it was created: wait, or add --withdraw-old.',
    )
  throw error
}

/** `muster keys re-encrypt`. */
export async function reEncrypt(): Promise<void> {
  await withConfig(async ({ database, config }) => {
    const count = await reencryptSecrets(database, openEncryption(encryptionKeysOf(config)), webhookSecretColumns)
    print(`Re-encrypted ${count} ${count === 1 ? 'secret' : 'secrets'}.`)
    if (config.issuer.previousEncryptionKey) note('Now remove MUSTER_ENCRYPTION_KEY_PREVIOUS from every node.')
  })
}
