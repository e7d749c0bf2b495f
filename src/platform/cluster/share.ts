import { availableParallelism } from 'node:os'
import type { Config } from '../../config.ts'
import { databaseLimits } from '../database/limits.ts'

/** With its 100 connections the embedded server serves so many workers, of at least seven connections each. */
const embeddedWorkersMax = 12

/** How many processes answer requests: 1 is the process itself. */
export function workersOf({ workers, database }: Config): number {
  const wanted = workers === 0 ? availableParallelism() : workers
  return database.url ? wanted : Math.min(wanted, embeddedWorkersMax)
}

/** What one of so many workers may use of what is meant for the node. Each gets at least what it cannot work without. */
export function shareOf(config: Config, workers: number): Config {
  const { database, limits, cacheMib } = config
  return {
    ...config,
    cacheMib: cacheMib / workers,
    database: { ...database, connectionsMax: Math.max(2, Math.ceil(database.connectionsMax / workers)) },
    limits: { ...limits, exportsMax: Math.max(1, Math.floor(limits.exportsMax / workers)) },
  }
}

/** Connections apart from the pool: two at least, so that health never waits behind a rate limit. */
export function sideConnectionsOf(workers: number): number {
  return Math.max(2, Math.ceil(databaseLimits.sideConnectionsMax / workers))
}
