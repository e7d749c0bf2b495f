import type { Rows } from '../../platform/database/database.ts'
import { factorContext } from '../factors/factor-codes.ts'
import type { Encryption } from './encryption.ts'

/**
 * Whether a value in the database does not decrypt with these keys. Tries one signing key and one factor of each key that encrypted any of
 * them. Without keys, whether there is such a value at all.
 */
export async function hasUndecryptable(rows: Rows, encryption: Encryption | undefined): Promise<boolean> {
  const found = await rows.query<Encrypted>(encryptedStatement, [])
  return found.some((one) => !decrypts(one, encryption))
}

interface Encrypted {
  readonly kind: 'signing_key' | 'factor'
  readonly id: string
  readonly encrypted: Buffer
}

function decrypts({ kind, id, encrypted }: Encrypted, encryption: Encryption | undefined): boolean {
  try {
    encryption?.decrypt(encrypted, kind === 'factor' ? factorContext(id) : id)
    return encryption !== undefined
  } catch {
    // Another key, or a damaged value: the remedy is the same.
    return false
  }
}

/** The first four bytes name the key. */
const encryptedStatement = {
  name: 'encrypted_of_each_key',
  text: `
(select distinct on (substring(private for 4)) 'signing_key' as kind, kid as id, private as encrypted
 from signing_key order by substring(private for 4), signs_from desc)
union all
(select distinct on (substring(secret for 4)) 'factor', id::text, secret
 from factor order by substring(secret for 4), created_at desc)`,
}
