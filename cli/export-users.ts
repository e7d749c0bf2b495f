import { open, rename, rm, stat } from 'node:fs/promises'
import type { UsersSort } from '../src/users/filters.ts'
import { countUsers, streamAll } from '../src/users/list-all.ts'
import type { ListFormatName } from '../src/users/list-formats.ts'
import { Fault } from './fault.ts'
import { filtersOf } from './given-filters.ts'
import { startProgress } from './progress.ts'
import { withDatabase } from './with-database.ts'

/** Beside these, the options of the filters. */
export interface ExportOptions extends Readonly<Record<string, unknown>> {
  readonly sort: UsersSort
  readonly yes?: true
}

/** Longer than over HTTP, where a request waits. */
const countTimeoutMs = 60_000

/** The work of `muster export`. The file appears, or replaces the old one, when it is complete. */
export async function exportUsers(path: string, options: ExportOptions): Promise<void> {
  const format = formatOf(path)
  const list = { filters: filtersOf(options), sort: options.sort, format }
  if (!options.yes && (await exists(path))) throw new Fault(`${path} exists already: add --yes to replace it.`)
  const draft = `${path}.unfinished`
  await withDatabase(async ({ database }) => {
    const total = await countUsers(database, list.filters, countTimeoutMs)
    const progress = startProgress('Exporting', total, 'users')
    const file = await open(draft, 'w', 0o600)
    try {
      let count = 0
      const onRows = (rows: number) => {
        count += rows
        progress.advance(rows)
      }
      for await (const piece of streamAll(database, list, { onRows })) await file.write(piece)
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
