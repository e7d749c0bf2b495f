import type { JWK } from 'jose'
import type { Rows } from '../../platform/database/database.ts'
import type { KeySet } from './key-renewal.ts'

/** Loads the key set that an earlier process stored. Ignores a set from another URL. */
export async function readKeySet(rows: Rows, issuer: string, source: string): Promise<KeySet | undefined> {
  const [row] = await rows.query<KeySetRow>(readStatement, [issuer, source])
  return row && { keys: row.keys, requestedAtMs: row.fetched_at.getTime() }
}

/** If two nodes write at the same time, the set requested later wins. */
export async function writeKeySet(rows: Rows, issuer: string, source: string, set: KeySet): Promise<void> {
  await rows.query(writeStatement, [issuer, source, JSON.stringify(set.keys), new Date(set.requestedAtMs)])
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
insert into issuer_key_set as stored (issuer, source, keys, fetched_at)
values ($1, $2, $3, $4)
on conflict (issuer) do update
  set source = excluded.source, keys = excluded.keys, fetched_at = excluded.fetched_at
  where stored.source <> excluded.source or stored.fetched_at <= excluded.fetched_at`,
}
