import type { Database, Rows } from '../../platform/database/database.ts'
import { factorContext } from '../factors/factors.ts'
import type { Sealer } from './sealer.ts'

/** Rows in one transaction. */
const batchRows = 200

/**
 * Encrypts anew, with the newest key, whatever was sealed with an older one; after that the older one is needed no more.
 * Answers how many values that were. Safe to run beside the service, and to run again.
 */
export async function resealSecrets(database: Database, sealer: Sealer): Promise<number> {
  let resealed = 0
  for (const table of tables)
    for (;;) {
      const count = await database.transaction((rows) => resealBatch(rows, sealer, table))
      resealed += count
      if (count < batchRows) break
    }
  return resealed
}

async function resealBatch(rows: Rows, sealer: Sealer, { context, find, replace }: SealedTable): Promise<number> {
  const found = await rows.query<{ id: string; sealed: Buffer }>(find, [sealer.newestMark, batchRows])
  for (const { id, sealed } of found)
    await rows.query(replace, [id, sealer.seal(sealer.open(sealed, context(id)), context(id))])
  return found.length
}

interface SealedTable {
  readonly context: (id: string) => string
  readonly find: { readonly name: string; readonly text: string }
  readonly replace: { readonly name: string; readonly text: string }
}

const tables: readonly SealedTable[] = [
  {
    context: (kid) => kid,
    find: {
      name: 'reseal_signing_keys',
      text: `
select kid as id, private as sealed from signing_key
where substring(private for 4) <> $1 order by kid limit $2 for update`,
    },
    replace: { name: 'reseal_signing_key', text: `update signing_key set private = $2 where kid = $1` },
  },
  {
    context: factorContext,
    find: {
      name: 'reseal_factors',
      text: `
select id, secret as sealed from factor
where substring(secret for 4) <> $1 order by id limit $2 for update`,
    },
    replace: { name: 'reseal_factor', text: `update factor set secret = $2 where id = $1` },
  },
]
