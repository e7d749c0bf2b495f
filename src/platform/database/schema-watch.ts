import type { Logger } from 'pino'
import { refuse } from '../problems.ts'
import type { Rows } from './database.ts'
import { newerSchema, readSchema, type SchemaState } from './schema.ts'

/** Watches the schema while the service runs: a node of a newer release may migrate it at any time. */
export interface SchemaWatch {
  /** Reads the schema again. Problems: `schema_unsupported`, `database_unavailable`. */
  check(): Promise<void>
  /** As last read. */
  current(): SchemaState
}

/** Reads the schema once before it resolves. `release`: names of this release's migrations. Problem: `database_unavailable`. */
export async function watchSchema(
  { side: rows }: { readonly side: Rows },
  { release, log }: { readonly release: readonly string[]; readonly log: Logger },
): Promise<SchemaWatch> {
  let current = await readSchema(rows, release)

  return {
    async check() {
      const before = current
      current = await readSchema(rows, release)
      const { ahead, fault } = current
      if (fault !== undefined && before.fault === undefined) log.error({ migrations: ahead }, fault)
      else if (fault === undefined && ahead.length > before.ahead.length) log.warn({ migrations: ahead }, newerSchema)
      if (fault !== undefined) refuse('schema_unsupported', { detail: fault, retryAfterSeconds: 60 })
    },
    current: () => current,
  }
}
