import { availableParallelism } from 'node:os'
import type { Config } from './config.ts'
import { databaseLimits } from './platform/database/limits.ts'

/** The embedded server's 100 connections are enough for this many workers, of at least seven connections each. */
const embeddedWorkersMax = 12

/** How many processes answer requests. With 1 the process itself does. */
export function workerCount({ workers, database }: Config): number {
  const wanted = workers === 0 ? availableParallelism() : workers
  return database.url ? wanted : Math.min(wanted, embeddedWorkersMax)
}

/** The configuration of one worker: its part of every limit that is set for the node, and never less than it needs to work. */
export function workerShare(config: Config, workers: number): Config {
  const { database, limits, cacheMib } = config
  return {
    ...config,
    cacheMib: cacheMib / workers,
    database: { ...database, connectionsMax: Math.max(2, Math.ceil(database.connectionsMax / workers)) },
    limits: { ...limits, exportsMax: Math.max(1, Math.floor(limits.exportsMax / workers)) },
  }
}

/** Connections apart from the pool: at least two, so that the health check never waits behind a rate limit. */
export function sideConnectionShare(workers: number): number {
  return Math.max(2, Math.ceil(databaseLimits.sideConnectionsMax / workers))
}
