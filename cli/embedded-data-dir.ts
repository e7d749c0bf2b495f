import { readConfig } from '../src/config.ts'
import { Fault } from './fault.ts'

/** The data directory, for commands that need the embedded database. */
export function embeddedDataDir(): string {
  const { database, dataDir } = readConfig(process.env)
  if (database.url)
    throw new Fault(
      'This command is for the embedded database. With DATABASE_URL, use muster dump, pg_basebackup or pg_dump.',
    )
  return dataDir
}
