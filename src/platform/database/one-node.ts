import type { Database, Rows } from './database.ts'

/** Keys of the advisory locks: "Mustr" in ASCII and a number. */
export const nodeLocks = {
  billingSync: 0x4d_75_73_74_72_05,
  upkeep: 0x4d_75_73_74_72_06,
} as const

/**
 * Runs `work` unless a node is at it already, and answers `undefined` then. The lock belongs to a connection: it ends with the process
 * that holds it.
 */
export async function onOneNode<Result>(
  database: Pick<Database, 'connect'>,
  lock: keyof typeof nodeLocks,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const client = await database.connect()
  try {
    const { rows } = await client.query<{ acquired: boolean }>('select pg_try_advisory_lock($1) as acquired', [
      nodeLocks[lock],
    ])
    return rows[0]?.acquired === true ? await work() : undefined
  } finally {
    await client.end()
  }
}

/** Whether a node is at it now. */
export async function isOnOneNode(rows: Rows, lock: keyof typeof nodeLocks): Promise<boolean> {
  return (await rows.query(heldStatement, [nodeLocks[lock]])).length > 0
}

/** A key of 64 bits is shown in two halves; those of two numbers have another `objsubid`. */
const heldStatement = {
  name: 'one_node_held',
  text: `
select from pg_locks l join pg_database d on d.oid = l.database
where l.locktype = 'advisory' and l.objsubid = 1 and l.granted and d.datname = current_database()
  and (l.classid::bigint << 32 | l.objid::bigint) = $1::bigint
limit 1`,
}
