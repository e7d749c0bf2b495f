import type { Database } from '../database.ts'
import { walPositionOf, walTextOf } from './wal-position.ts'

/** A server that lists are read on: the primary, or a replica. */
export interface ReadSource extends Pick<Database, 'query' | 'transaction' | 'stream'> {
  /**
   * A place in the log that nothing of what was read is from after. A later page that is read beyond it never goes back in time. Undefined
   * where there is no replica.
   */
  position(): Promise<string | undefined>
}

/** The primary alone. */
export function primarySource({ query, transaction, stream }: Omit<ReadSource, 'position'>): ReadSource {
  return { query, transaction, stream, position: async () => undefined }
}

/** The primary beside replicas. */
export function primaryBesideReplicas(primary: Omit<ReadSource, 'position'>): ReadSource {
  return {
    ...primarySource(primary),
    async position() {
      const [row] = await primary.query<{ position: string }>(positionStatement, [])
      return row && walTextOf(walPositionOf(row.position))
    },
  }
}

const positionStatement = { name: 'primary_position', text: 'select pg_current_wal_flush_lsn()::text as position' }
