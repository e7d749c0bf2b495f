import { type Command, Option } from 'commander'
import { sortNames } from '../../src/users/filters.ts'
import type { ExportOptions } from '../export-users.ts'
import { addFilterOptions } from '../filter-options.ts'

export function exportPeople(program: Command): void {
  const command = program
    .command('export')
    .summary('Write the list of users to a file.')
    .description(
      'Write the list of users to a file, from one snapshot of the database: the rows of GET /api/v1/admin/users/fetch. The file appears when it is complete.',
    )
    .argument('<file>', 'Where to: .json, .jsonl, .ndjson or .csv.')
  addFilterOptions(command)
    .addOption(new Option('--sort <order>', 'The order of the users.').choices(sortNames).default('created'))
    .option('-y, --yes', 'Replace an existing file.')
    .action(async (file: string, options: ExportOptions) => {
      // Loaded here, because no other command needs it.
      const { exportUsers } = await import('../export-users.ts')
      await exportUsers(file, options)
    })
}
