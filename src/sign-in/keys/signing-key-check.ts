import type { Rows } from '../../platform/database/database.ts'
import type { Sealer } from './sealer.ts'

/** Whether there is a signing key, and whether this sealer opens it. Reads only. */
export async function findSigningKey(rows: Rows, sealer: Sealer | undefined): Promise<'none' | 'usable' | 'sealed'> {
  const [row] = await rows.query<{ kid: string; private: Buffer }>(newestStatement, [])
  if (!row) return 'none'
  try {
    if (sealer === undefined) return 'sealed'
    sealer.open(row.private, row.kid)
    return 'usable'
  } catch {
    // Whatever keeps it from opening: another key, another row's value, or a value that was changed.
    return 'sealed'
  }
}

const newestStatement = {
  name: 'signing_key_check',
  text: `select kid, private from signing_key where verifies_until > now() order by signs_from desc, kid limit 1`,
}
