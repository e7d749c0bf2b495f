import type { Database, Rows } from '../../platform/database/database.ts'
import { mailContext } from '../../platform/mail/outbox.ts'
import { type Encryption, factorContext } from './encryption.ts'

/** Rows in one transaction. */
const batchRows = 200

/**
 * Re-encrypts with the current key every secret that an older key encrypted, so that the older key can be removed.
 * Returns the number of values. Can run while the service runs, and can be repeated.
 */
export async function reencryptSecrets(
  database: Database,
  encryption: Encryption,
  more: readonly EncryptedTable[] = [],
): Promise<number> {
  let total = 0
  for (const table of [...tables, ...more])
    for (;;) {
      const count = await database.transaction((rows) => reencryptBatch(rows, encryption, table))
      total += count
      if (count < batchRows) break
    }
  return total
}

async function reencryptBatch(
  rows: Rows,
  encryption: Encryption,
  { contextOf, find, replace }: EncryptedTable,
): Promise<number> {
  const found = await rows.query<{ id: string; encrypted: Buffer }>(find, [encryption.currentKeyId, batchRows])
  for (const { id, encrypted } of found) {
    const plain = encryption.decrypt(encrypted, contextOf(id))
    await rows.query(replace, [id, encryption.encrypt(plain, contextOf(id))])
  }
  return found.length
}

/** One encrypted column. */
interface EncryptedTable {
  readonly contextOf: (id: string) => string
  /** $1 id of the current key, $2 rows at most. */
  readonly find: { readonly name: string; readonly text: string }
  /** $1 id, $2 encrypted value. */
  readonly replace: { readonly name: string; readonly text: string }
}

const tables: readonly EncryptedTable[] = [
  {
    contextOf: (kid) => kid,
    find: {
      name: 're_encrypt_signing_keys',
      text: `
select kid as id, private as encrypted from signing_key
where substring(private for 4) <> $1 order by kid limit $2 for update`,
    },
    replace: { name: 're_encrypt_signing_key', text: `update signing_key set private = $2 where kid = $1` },
  },
  {
    contextOf: factorContext,
    find: {
      name: 're_encrypt_factors',
      text: `
select id, secret as encrypted from factor
where substring(secret for 4) <> $1 order by id limit $2 for update`,
    },
    replace: { name: 're_encrypt_factor', text: `update factor set secret = $2 where id = $1` },
  },
  {
    contextOf: mailContext,
    find: {
      name: 're_encrypt_mails',
      text: `
select id, sealed as encrypted from mail_outbox
where substring(sealed for 4) <> $1 order by id limit $2 for update`,
    },
    // A mail that was sent in the meantime has no row any more.
    replace: { name: 're_encrypt_mail', text: `update mail_outbox set sealed = $2 where id = $1` },
  },
]

/**
 * Whether the database has a value that these keys cannot decrypt. Tries one signing key and one factor per encryption
 * key. Without `encryption`, returns whether there is any encrypted value.
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
    // Wrong key or damaged value: the remedy is the same.
    return false
  }
}

/** One value per encryption key, whose id is in the first four bytes. */
const encryptedStatement = {
  name: 'encrypted_of_each_key',
  text: `
(select distinct on (substring(private for 4)) 'signing_key' as kind, kid as id, private as encrypted
 from signing_key order by substring(private for 4), signs_from desc)
union all
(select distinct on (substring(secret for 4)) 'factor', id::text, secret
 from factor order by substring(secret for 4), created_at desc)`,
}
