import { Client, DatabaseError } from 'pg'
import type { Config } from '../../src/config.ts'
import { connectionBudget } from '../../src/platform/database/budget.ts'
import { clientConfig, type Link, linksOf } from '../../src/platform/database/link.ts'
import type { OpenedDatabase } from '../../src/platform/database/open.ts'
import { replicaLimits } from '../../src/platform/database/replica/open-replicas.ts'
import { walPositionOf } from '../../src/platform/database/replica/wal-position.ts'
import { readServerFacts } from '../../src/platform/database/server-facts.ts'
import { errorCode } from '../../src/platform/error-code.ts'
import { workerCount, workerShare } from '../../src/worker-share.ts'
import { type CheckResult, resultsOf } from './check-result.ts'

const { ok, warn } = resultsOf('replica')

/**
 * Whether each server of MUSTER_REPLICA_URL is a standby of this database, and near enough. A warning at most: the primary is read in place
 * of a replica. Writes nothing; the service itself compares what it has written, too.
 */
export async function* checkReplicas(primary: OpenedDatabase, config: Config): AsyncGenerator<CheckResult, void, void> {
  const { replicaUrl } = config.database
  const links = replicaUrl ? linksOf({ url: replicaUrl }) : []
  for (const link of links) yield* checkReplica(link, primary, { config, isOnly: links.length === 1 })
}

async function* checkReplica(
  link: Link,
  primary: OpenedDatabase,
  { config, isOnly }: { readonly config: Config; readonly isOnly: boolean },
): AsyncGenerator<CheckResult, void, void> {
  const client = new Client({ connectionTimeoutMillis: 10_000, query_timeout: 10_000, ...clientConfig(link) })
  client.on('error', () => undefined)
  const name = `${client.host}:${client.port}`
  try {
    const rows = await primary.side.query<PrimaryRow>({ name: '', text: primaryText }, [])
    await client.connect()
    const facts = await readServerFacts(client)
    if (!facts.isStandby) {
      if (isOnly) yield warn(`${name} is no standby: name standbys of DATABASE_URL.`)
      else yield ok(`${name} is no standby, and is not read while it is none.`)
      return
    }
    const found = (await client.query<StandbyRow>(standbyText)).rows[0]
    if (!rows[0] || !found) return
    if (found.system !== rows[0].system)
      return yield warn(`${name} is a standby of another cluster: name standbys of DATABASE_URL.`)
    const lagSeconds = await replaySeconds(client, rows[0].position, config.database.replicaLagSeconds)
    if (lagSeconds === undefined)
      yield warn(
        `${name} has not replayed within ${config.database.replicaLagSeconds} s what the primary had written: the primary is read in its place.`,
      )
    else
      yield ok(
        `${name} is a standby of this cluster, PostgreSQL ${facts.versionText}, ${lagSeconds.toFixed(1)} s behind at most.`,
      )
    yield* checkConflicts(name, found, config)
    yield* checkConnections(name, facts.connections, config)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const code = errorCode(error) ?? 'no answer in time'
    yield warn(
      error instanceof DatabaseError
        ? `${name} refuses what Muster asks (${code}): the primary is read in its place.`
        : `${name} cannot be reached (${code}): the primary is read in its place.`,
    )
  } finally {
    client.end().catch(() => undefined)
  }
}

/** How long it takes until the standby has what the primary had; undefined where it takes longer than allowed. */
async function replaySeconds(client: Client, text: string, secondsMax: number): Promise<number | undefined> {
  const startedAt = performance.now()
  const passed = () => (performance.now() - startedAt) / 1_000
  while (passed() <= secondsMax) {
    const [row] = (await client.query<{ position: string | null }>(replayedText)).rows
    if (row?.position && walPositionOf(row.position) >= walPositionOf(text)) return passed()
    await new Promise((next) => setTimeout(next, 100))
  }
  return undefined
}

/** A standby that has to replay the removal of a row that a list still reads waits, and then ends the list. */
function* checkConflicts(name: string, { feedback, delayMs }: StandbyRow, { limits }: Config): Generator<CheckResult> {
  if (feedback || delayMs < 0 || delayMs >= limits.exportSeconds * 1_000) return
  yield warn(
    `${name} ends lists that take longer than ${delayMs / 1_000} s while it replays (max_standby_streaming_delay): set hot_standby_feedback = on there.`,
  )
}

function* checkConnections(
  name: string,
  connections: Parameters<typeof connectionBudget>[0],
  config: Config,
): Generator<CheckResult> {
  const workers = workerCount(config)
  const { limits } = workerShare(config, workers)
  const wished = replicaLimits({ streamsMax: limits.exportsMax, processes: workers })
  const { wanted, available, isShort } = connectionBudget(connections, wished, workers)
  if (isShort)
    yield warn(
      `This node wants ${wanted} connections of ${name} and may take ${available}: raise max_connections there.`,
    )
}

interface PrimaryRow {
  readonly system: string
  readonly position: string
}
interface StandbyRow {
  readonly system: string
  readonly feedback: boolean
  readonly delayMs: number
}

const primaryText = `
select system_identifier::text as system, pg_current_wal_flush_lsn()::text as position from pg_control_system()`

const standbyText = `
select system_identifier::text as system, current_setting('hot_standby_feedback')::boolean as feedback,
       (select setting::int from pg_settings where name = 'max_standby_streaming_delay') as "delayMs"
from pg_control_system()`

const replayedText = 'select pg_last_wal_replay_lsn()::text as position'
