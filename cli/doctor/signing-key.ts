import type { Config } from '../../src/config.ts'
import type { Rows } from '../../src/platform/database/database.ts'
import { encryptionKeysOf } from '../../src/service/encryption.ts'
import { encryptionKeyPath, findEncryption } from '../../src/sign-in/keys/encryption-key.ts'
import { checkSigningKey } from '../../src/sign-in/keys/signing-keys.ts'
import { type CheckResult, resultsOf } from './check-result.ts'

const { ok, fail } = resultsOf('signing key')

/** Checks that the built-in issuer can use its signing key. Where there is none yet, the service creates it. */
export async function checkIssuerKey(rows: Rows, config: Config): Promise<CheckResult> {
  const path = encryptionKeyPath(config)
  const encryption = findEncryption(encryptionKeysOf(config))
  const found = await checkSigningKey(rows, encryption)
  if (found === 'none') return ok('There is none yet: muster serve creates it.')
  if (found === 'usable') return ok('The built-in issuer can use it.')
  if (!encryption) return fail(`The file ${path} that encrypts it is missing: restore it from a backup.`)
  return fail(
    config.issuer.encryptionKey
      ? 'It was encrypted with another key: set MUSTER_ENCRYPTION_KEY to that key.'
      : `It was encrypted with another key than that in ${path}: restore that file from a backup.`,
  )
}
