import type { Rows } from './database.ts'

/** Reads a key that all nodes share from the table `keyring`. */
export async function readSharedKey(rows: Rows, name: 'cursor' | 'fingerprint'): Promise<Buffer> {
  const [row] = await rows.query<{ key: Buffer }>(
    { name: 'shared_key', text: 'select key from keyring where name = $1' },
    [name],
  )
  if (!row) throw new Error(`The table keyring has no key ${name}.`)
  return row.key
}
