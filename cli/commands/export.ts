import { type Command, Option } from 'commander'
import type { ExportOptions } from '../export-users.ts'

export function exportPeople(program: Command): void {
  program
    .command('export')
    .summary('Write the list of users to a file.')
    .description(
      'Write the list of users to a file, from one snapshot of the database: the rows of GET /api/v1/admin/users/fetch. The file appears when it is whole.',
    )
    .argument('<file>', 'Where to: .json, .jsonl, .ndjson or .csv.')
    .option('-e, --email <part>', 'Only users with this part in their e-mail address.')
    .option('-r, --role <role>', 'Only users of this role.')
    .option('-o, --org <id>', 'Only members of this organisation.')
    .addOption(new Option('-s, --status <status>', 'Only these.').choices(['active', 'disabled']))
    .addOption(
      new Option('--sort <order>', 'In which order.')
        .choices(['created', '-created', 'email', '-email'])
        .default('created'),
    )
    .option('-y, --yes', 'Replace a file that is there.')
    .action(async (file: string, options: ExportOptions) => {
      // Loaded here, because only this command has a use for it.
      const { exportUsers } = await import('../export-users.ts')
      await exportUsers(file, options)
    })
}
