import type { JWK } from 'jose'
import type { Rows } from '../../platform/database/database.ts'
import type { KeySet } from './key-renewal.ts'

/** Key sets that outlive the process, each with where it came from: one from another address does not count. */
export async function readKeySet(rows: Rows, issuer: string, source: string): Promise<KeySet | undefined> {
  const [row] = await rows.query<KeySetRow>(readStatement, [issuer, source])
  return row && { keys: row.keys, askedAtMs: row.fetched_at.getTime() }
}

/** Of two nodes that write at once the one that asked later wins. */
export async function writeKeySet(rows: Rows, issuer: string, source: string, set: KeySet): Promise<void> {
  await rows.query(writeStatement, [issuer, source, JSON.stringify(set.keys), new Date(set.askedAtMs)])
}

interface KeySetRow {
  readonly keys: readonly JWK[]
  readonly fetched_at: Date
}

const readStatement = {
  name: 'issuer_key_set',
  text: 'select keys, fetched_at from issuer_key_set where issuer = $1 and source = $2',
}

const writeStatement = {
  name: 'issuer_key_set_write',
  text: `
insert into issuer_key_set as kept (issuer, source, keys, fetched_at)
values ($1, $2, $3, $4)
on conflict (issuer) do update
  set source = excluded.source, keys = excluded.keys, fetched_at = excluded.fetched_at
  where kept.source <> excluded.source or kept.fetched_at <= excluded.fetched_at`,
}
