import type { FastifyReply } from 'fastify'
import type { Database, Rows } from '../platform/database/database.ts'
import type { Replicas } from '../platform/database/replica/open-replicas.ts'
import { primaryBesideReplicas, primarySource, type ReadSource } from '../platform/database/replica/read-source.ts'
import type { RefusalReason } from '../platform/database/replica/replica-host.ts'
import { readHeader, replicaRead } from '../platform/http/read-header.ts'

/** Where lists are read that may be a moment old. What decides something is never read here. */
export interface ListReads {
  /**
   * Runs `work` on a replica, or on the primary where no replica shows what this caller must see. Where a replica fails, `work` runs again on
   * another server. With a replica configured, the answer says in the header `Muster-Read` which it was.
   */
  read<T>(reading: ListReading, work: (source: ReadSource) => Promise<T>): Promise<T>
}

export interface ListReading {
  /** The account or the service key that calls. */
  readonly callerId: string
  /** From the cursor: the place in the log up to which the page before had read. */
  readonly seen?: string | undefined
  readonly reply: FastifyReply
}

/** Why a list was read on the primary; `none` where a replica was. */
export type PrimaryReason = RefusalReason | 'own_change'
export type CountRead = (source: 'replica' | 'primary', reason: PrimaryReason | 'none') => void

export function listReads(database: Database, replicas: Replicas | undefined, count: CountRead): ListReads {
  if (!replicas) return { read: (_, work) => work(primarySource(database)) }
  const primary = primaryBesideReplicas(database)

  return {
    async read({ callerId, seen, reply }, work) {
      const mayBeRead = replicas.state() === 'up'
      const isChanged = mayBeRead && (await hasJustChanged(database, callerId, replicas.lagMaxSeconds))
      const read = isChanged ? 'own_change' : await replicas.read(seen, work)
      if (typeof read === 'object') {
        count('replica', 'none')
        reply.header(readHeader, replicaRead(read.lagSeconds))
        return read.result
      }
      count('primary', read)
      const result = await work(primary)
      reply.header(readHeader, 'primary')
      return result
    },
  }
}

/**
 * Whether the caller has changed something that a replica may lack. Read from the audit trail, so that it holds on every node and in every
 * worker. An event has the time at which its transaction began, and a handler may take `handlerSeconds` from there to its answer.
 */
async function hasJustChanged(rows: Rows, callerId: string, lagMaxSeconds: number): Promise<boolean> {
  return (await rows.query(changedStatement, [callerId, lagMaxSeconds + handlerSeconds])).length > 0
}

const handlerSeconds = 10

const changedStatement = {
  name: 'list_reads_changed',
  text: `
select 1 from audit_event where actor_id = $1::uuid and at > now() - make_interval(secs => $2::float8) limit 1`,
}
