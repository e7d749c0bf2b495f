import { type Command, Option } from 'commander'
import { compileValidator } from '../../src/platform/http/input.ts'
import {
  type AnyFilter,
  filterNames,
  filters,
  sortNames,
  type UsersFilters,
  type UsersSort,
} from '../../src/users/filters.ts'
import { countUsers, streamAll } from '../../src/users/list-all.ts'
import { UsersQuery } from '../../src/users/list-contract.ts'
import type { ListFormatName } from '../../src/users/list-formats.ts'
import { writeDraft } from '../draft-file.ts'
import { Fault } from '../errors.ts'
import { withProgress } from '../progress.ts'
import { withDatabase } from '../with-database.ts'

export function exportCommand(command: Command): void {
  command
    .description(
      'Export the list of users to a file: the rows of GET /api/v1/admin/users/fetch, from one snapshot of the database. The file appears when it is complete.',
    )
    .argument('<file>', 'File to write: .json, .jsonl, .ndjson or .csv.')
  addFilterOptions(command)
    .addOption(new Option('--sort <order>', 'Order of the users.').choices(sortNames).default('created'))
    .option('--bom', 'Start the CSV file with a byte order mark, which spreadsheets need to read UTF-8.')
    .option('-y, --yes', 'Replace an existing file.')
    .action(exportUsers)
}

/** Has the options of the filters, too. */
interface ExportOptions extends Readonly<Record<string, unknown>> {
  readonly sort: UsersSort
  readonly bom?: true
  readonly yes?: true
}

/** Longer than over HTTP, where a client waits. */
const countTimeoutMs = 60_000

/** `muster export`. The file appears, or replaces the old one, when it is complete. */
export async function exportUsers(path: string, options: ExportOptions): Promise<void> {
  const format = formatOf(path, options.bom === true)
  const list = { filters: filtersOf(options), sort: options.sort, format }
  await writeDraft(path, { mayReplace: options.yes === true }, (file) =>
    withDatabase(async ({ database }) => {
      const total = await countUsers(database, list.filters, countTimeoutMs)
      await withProgress(
        ['Exporting', total, 'users'],
        async ({ advance }) => {
          let count = 0
          const onRows = (rows: number) => {
            count += rows
            advance(rows)
          }
          for await (const piece of streamAll(database, list, { onRows })) await file.write(piece)
          return count
        },
        (count) => `Exported ${count} users to ${path}.`,
      )
    }),
  )
}

function formatOf(path: string, hasBom: boolean): ListFormatName {
  if (/\.csv$/i.test(path)) return hasBom ? 'csvWithBom' : 'csv'
  if (hasBom) throw new Fault('--bom is for CSV: the name of the file must end with .csv.')
  if (/\.(jsonl|ndjson)$/i.test(path)) return 'ndjson'
  if (/\.json$/i.test(path)) return 'json'
  throw new Fault('The name of the file must end with .json, .jsonl, .ndjson or .csv.')
}

/** The filters that have an option, by the name of their query parameter. */
function filterOptions(): readonly (readonly [name: string, option: Option])[] {
  return filterNames.flatMap((name) => {
    const { option, schema }: AnyFilter = filters[name]
    if (!option) return []
    const made = new Option(option.flags, option.description)
    return [[name, 'enum' in schema && Array.isArray(schema.enum) ? made.choices(schema.enum) : made] as const]
  })
}

export function addFilterOptions(command: Command): Command {
  for (const [, option] of filterOptions()) command.addOption(option)
  return command
}

/** Reads the filter options, validated by the schemas of the query parameters. */
export function filtersOf(options: Readonly<Record<string, unknown>>): UsersFilters {
  const known = filterOptions()
  const given = known.flatMap(([name, option]) => {
    const value = options[option.attributeName()]
    return value === undefined ? [] : [[name, value] as const]
  })
  const { value, error } = compileValidator({ schema: UsersQuery, httpPart: 'querystring' })(Object.fromEntries(given))
  const flagOf = (parameter: string) => {
    const option = known.find(([name]) => name === parameter)?.[1]
    return option ? `--${option.name()}` : parameter
  }
  const faults = error?.more.errors?.map(
    (fault) => `${'parameter' in fault ? flagOf(fault.parameter) : ''} ${fault.detail}`,
  )
  if (error) throw new Fault(`${faults?.join('; ')}.`)
  // Trust boundary: the schema has accepted these options.
  return value as UsersFilters
}
