import { type Command, Option } from 'commander'
import type { ImportOptions } from '../import/run-import.ts'

export function importPeople(program: Command): void {
  program
    .command('import')
    .summary('Import users from another product.')
    .description(
      'Import the users of another product from its export: accounts, their ids there, and password hashes that Muster can verify. A second run changes nothing, so you can restart an interrupted import. See docs/administration.md.',
    )
    .argument('<file>', 'The export: .csv, .jsonl or .ndjson.')
    .addOption(
      new Option('-f, --from <product>', 'Product that made the export.')
        .choices(['muster', 'supabase', 'auth0', 'clerk', 'keycloak', 'better-auth'])
        .makeOptionMandatory(),
    )
    .option('-i, --issuer <issuer>', 'Issuer of the tokens that the users keep, exactly as in MUSTER_ISSUERS.')
    .option('-r, --rejects <path>', 'File for rejected lines and their reasons. (default: <file>.rejected.jsonl)')
    .option('-n, --dry-run', 'Validate everything and write only the rejected lines.')
    .action(async (file: string, options: ImportOptions) => {
      // Loaded here, because no other command needs it.
      const { runImport } = await import('../import/run-import.ts')
      await runImport(file, options)
    })
}
