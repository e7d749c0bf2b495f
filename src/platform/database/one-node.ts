import type { Database } from './database.ts'

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
