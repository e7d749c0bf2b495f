import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'

/** What opening a component needs. */
export interface Opening {
  readonly config: Config
  readonly database: Database
  readonly log: Logger
  readonly now: Clock
}
