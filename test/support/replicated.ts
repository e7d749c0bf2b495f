import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { migrate } from '../../src/platform/database/migrate.ts'
import { migrationsFolder } from '../../src/platform/database/schema.ts'
import { type ClusterServer, type Clusters, openClusters } from './clusters.ts'
import { type FreshDatabase, openFresh } from './database.ts'

/** A database with all migrations, and a standby that receives every change of it. */
export interface ReplicatedDatabase {
  readonly clusters: Clusters
  readonly primary: ClusterServer
  readonly standby: ClusterServer
  readonly fresh: FreshDatabase
  /** The standby replays nothing, or goes on. */
  pauseReplay(isPaused: boolean): Promise<void>
  /** Resolves when the standby shows what the primary has now. */
  caughtUp(): Promise<void>
}

/** Until the end of the test. */
export async function replicatedDatabase(): Promise<ReplicatedDatabase> {
  const clusters = await openClusters()
  const primary = await clusters.make('one')
  const standby = await clusters.copy('one', 'two', 'standby')
  await clusters.follow('two', primary)
  await primary.start()
  const fresh = openFresh(primary.url, { adminUrl: primary.url, remove: async () => undefined })
  onTestFinished(() => fresh.drop())
  await migrate(fresh.database, migrationsFolder(), pino({ level: 'silent' }))
  await standby.start()

  return {
    clusters,
    primary,
    standby,
    fresh,
    async pauseReplay(isPaused) {
      await standby.sql(`select pg_wal_replay_${isPaused ? 'pause' : 'resume'}()`)
    },
    async caughtUp() {
      const [row] = await primary.sql<{ end: string }>('select pg_current_wal_flush_lsn()::text as end')
      const text = `select pg_last_wal_replay_lsn() >= '${row?.end}' as done`
      while (!(await standby.sql<{ done: boolean }>(text))[0]?.done) await new Promise((next) => setTimeout(next, 20))
    },
  }
}
