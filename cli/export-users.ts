import { open, rename, rm, stat } from 'node:fs/promises'
import { countEverybody, everybody } from '../src/users/list.ts'
import type { ListFormatName } from '../src/users/list-formats.ts'
import type { UsersFilters, UsersSort } from '../src/users/list-sql.ts'
import { Fault } from './fault.ts'
import { startProgress } from './progress.ts'
import { withDatabase } from './with-database.ts'

export interface ExportOptions {
  readonly email?: string
  readonly role?: string
  readonly org?: string
  readonly status?: 'active' | 'disabled'
  readonly sort: UsersSort
  readonly yes?: true
}

/** Nobody waits for an answer here. */
const countTimeoutMs = 60_000

/** The work of `muster export`. A file that is there is either the old one or the whole new one. */
export async function exportUsers(path: string, options: ExportOptions): Promise<void> {
  const format = formatOf(path)
  if (!options.yes && (await exists(path))) throw new Fault(`${path} is there already: add --yes to replace it.`)
  const { email, role, org, status, sort } = options
  const filters: UsersFilters = { email, role, orgId: org, status }
  const draft = `${path}.unfinished`
  await withDatabase(async ({ database }) => {
    const total = await countEverybody(database, filters, countTimeoutMs)
    const progress = startProgress('Exporting', total, 'users')
    const file = await open(draft, 'w', 0o600)
    try {
      let count = 0
      const told = (rows: number) => {
        count += rows
        progress.advance(rows)
      }
      const list = { filters, sort, format }
      for await (const piece of everybody(database, list, { told })) await file.write(piece)
      await file.sync()
      await file.close()
      await rename(draft, path)
      progress.done(`${count} users are in ${path}.`)
    } catch (error) {
      progress.failed()
      await file.close()
      await rm(draft, { force: true })
      throw error
    }
  })
}

function formatOf(path: string): ListFormatName {
  if (/\.csv$/i.test(path)) return 'csv'
  if (/\.(jsonl|ndjson)$/i.test(path)) return 'ndjson'
  if (/\.json$/i.test(path)) return 'json'
  throw new Fault('The name of the file must end with .json, .jsonl, .ndjson or .csv.')
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
