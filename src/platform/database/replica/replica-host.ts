import { DatabaseError } from 'pg'
import { pino } from 'pino'
import { Problem } from '../../problems.ts'
import type { Database, Rows, Statement } from '../database.ts'
import { isOfDatabase } from '../faults.ts'
import type { DatabaseLimits } from '../limits.ts'
import { clientConfig, type Link } from '../link.ts'
import { pooledDatabase } from '../pool.ts'
import type { PrimaryWatch } from './primary-watch.ts'
import type { ReadSource } from './read-source.ts'
import { type WalPosition, walPositionOf, walTextOf } from './wal-position.ts'

/**
 * `behind`: it lacks changes that are older than allowed, or how old is not known. `promoted`: it is no standby. `other_database`: it does
 * not have the history of the primary. `unreachable`: it does not answer.
 */
export const replicaStates = ['up', 'behind', 'unreachable', 'promoted', 'other_database'] as const
export type ReplicaState = (typeof replicaStates)[number]

/** What a replica shows at one moment. */
export interface Verdict {
  readonly state: ReplicaState
  /** It shows every change that was confirmed so many seconds earlier. */
  readonly lagSeconds: number
  readonly position?: WalPosition
}

export interface ReplicaHost {
  /** Host and port, without anything secret. */
  readonly name: string
  readonly database: Database
  /** Asks it on a connection that serves no request. */
  look(): Promise<Verdict>
  /**
   * Runs `work` there. Every statement is asked for on a connection that has shown just before that it may be read. Rejects with
   * `ReplicaRefusal` where it may not, or where the replica fails.
   */
  read<T>(seen: WalPosition | undefined, work: (source: ReadSource) => Promise<T>): Promise<Reading<T>>
}

export interface Reading<T> {
  readonly result: T
  readonly lagSeconds: number
}

/** Why a reading is to be done on another server: a state, a page before that has read further, or a failure. */
export type RefusalReason = Exclude<ReplicaState, 'up'> | 'earlier_than_cursor' | 'failed'

/** Never answered: it leads to the next server. */
export class ReplicaRefusal extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, cause?: unknown) {
    super(`the replica is not read: ${reason}`, { cause })
    this.name = 'ReplicaRefusal'
    this.reason = reason
  }
}

export interface ReplicaHostOptions {
  readonly link: Link
  readonly primary: PrimaryWatch
  readonly lagMaxSeconds: number
  readonly limits: DatabaseLimits
  readonly preparedStatements: boolean
  /** Adds spans. */
  readonly traced: (database: Database) => Database
}

export function replicaHost({ link, primary, lagMaxSeconds, traced, ...options }: ReplicaHostOptions): ReplicaHost {
  // The watch says in its own words what is wrong with a replica.
  const log = pino({ level: 'silent' })
  const database = traced(pooledDatabase({ link, ...options, log, isReplica: true }))
  const judge = createJudge(primary, lagMaxSeconds)
  const values = () => [primary.witness()?.id ?? null]

  async function ask(rows: Rows): Promise<Verdict> {
    const [row] = await rows.query<ReplicaRow>(replicaStatement, values())
    return row ? judge(row) : nothingKnown('unreachable')
  }

  return {
    name: nameOf(link),
    database,
    async look() {
      try {
        const [row] = await database.side.query<ReplicaRow>(replicaStatement, values())
        return row ? judge(row) : nothingKnown('unreachable')
      } catch (error) {
        return nothingKnown(isSchemaMissing(error) ? 'other_database' : 'unreachable')
      }
    },
    async read(seen, work) {
      const reading = createReading(database, seen, ask)
      try {
        return { result: await work(reading.source), lagSeconds: reading.lagSeconds() }
      } catch (error) {
        const refusal = reading.refusal()
        if (refusal !== undefined) throw new ReplicaRefusal(refusal)
        if (isOfServer(error)) throw new ReplicaRefusal(isSchemaMissing(error) ? 'other_database' : 'failed', error)
        throw error
      }
    },
  }
}

/** Says of what a replica shows whether it may be read. */
export function createJudge(primary: PrimaryWatch, lagMaxSeconds: number) {
  return ({ isStandby, position, isWitnessed }: ReplicaRow): Verdict => {
    const witness = primary.witness()
    const place = position === null ? undefined : walPositionOf(position)
    const lagSeconds = place === undefined ? Number.POSITIVE_INFINITY : primary.ageSecondsAt(place)
    const verdict = (state: ReplicaState) => ({ state, lagSeconds, ...(place !== undefined && { position: place }) })
    if (!isStandby) return verdict('promoted')
    if (witness === undefined || place === undefined || place < witness.position) return verdict('behind')
    if (!isWitnessed) return verdict('other_database')
    return verdict(lagSeconds <= lagMaxSeconds ? 'up' : 'behind')
  }
}

/** One reading of a list. `seen`: the place up to which the page before had read. */
function createReading(database: Database, seen: WalPosition | undefined, ask: (rows: Rows) => Promise<Verdict>) {
  let lagSeconds = 0
  let refusal: RefusalReason | undefined
  let position = seen

  /** On the connection that reads next: behind one address there may be several servers, and a server may have been started again. */
  async function check(rows: Rows): Promise<void> {
    const verdict = await ask(rows)
    const isEarlier = seen !== undefined && (verdict.position ?? 0n) < seen
    refusal = verdict.state !== 'up' ? verdict.state : isEarlier ? 'earlier_than_cursor' : undefined
    if (refusal !== undefined) throw new Problem('database_unavailable', { detail: refusal })
    lagSeconds = Math.max(lagSeconds, verdict.lagSeconds)
  }

  /** What has been shown cannot be from after this. */
  async function remember(rows: Rows): Promise<void> {
    const [row] = await rows.query<Pick<ReplicaRow, 'position'>>(positionStatement, [])
    const place = walPositionOf(row?.position ?? '')
    if (position === undefined || place > position) position = place
  }

  const source: ReadSource = {
    query: (statement, values) =>
      database.transaction(async (rows) => {
        await check(rows)
        const found = await rows.query<never>(statement, values)
        await remember(rows)
        return found
      }),
    transaction: (inside) =>
      database.transaction(async (rows) => {
        await check(rows)
        return inside(rows)
      }),
    stream: (statement, values, streaming) => database.stream(statement, values, { ...streaming, before: check }),
    position: async () => (position === undefined ? undefined : walTextOf(position)),
  }
  return { source, lagSeconds: () => lagSeconds, refusal: () => refusal }
}

function nothingKnown(state: ReplicaState): Verdict {
  return { state, lagSeconds: Number.POSITIVE_INFINITY }
}

/**
 * Whether the server failed and not the question: it was lost, it took too long, or it ended the statement because it would have kept
 * it from replaying the log (40001, 40P01).
 */
function isOfServer(error: unknown): boolean {
  return isOfDatabase(error) || error instanceof DatabaseError || isLost(error)
}

/** A failure to connect, which has no cause where the pool itself refuses. */
function isLost(error: unknown): boolean {
  return error instanceof Problem && error.code === 'database_unavailable'
}

/** 42P01, 42703: a table or a column of this release is not there. */
function isSchemaMissing(error: unknown): boolean {
  const cause = error instanceof Problem ? error.more.cause : error
  return cause instanceof DatabaseError && (cause.code === '42P01' || cause.code === '42703')
}

function nameOf(link: Link): string {
  const { connectionString } = clientConfig(link)
  return connectionString !== undefined && URL.canParse(connectionString) ? new URL(connectionString).host : ''
}

export interface ReplicaRow {
  readonly isStandby: boolean
  /** Null where it has replayed nothing. */
  readonly position: string | null
  readonly isWitnessed: boolean
}

const replicaStatement: Statement = {
  name: 'replica_checked',
  text: `
select pg_is_in_recovery() as "isStandby", pg_last_wal_replay_lsn()::text as position,
       exists (select from replica_witness where id = $1::uuid) as "isWitnessed"`,
}

const positionStatement: Statement = {
  name: 'replica_position',
  text: 'select pg_last_wal_replay_lsn()::text as position',
}
