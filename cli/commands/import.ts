import { type Command, Option } from 'commander'
import type { ImportOptions } from '../import/run-import.ts'

export function importPeople(program: Command): void {
  program
    .command('import')
    .summary('Take in people from another product.')
    .description(
      'Take in people from the export of another product: accounts, the ids that they have there, and password hashes that can be verified here. A second time changes nothing, so an import that was interrupted is begun again. See docs/import.md.',
    )
    .argument('<file>', 'The export: .csv, .jsonl or .ndjson.')
    .addOption(
      new Option('-f, --from <product>', 'Whose export it is.')
        .choices(['muster', 'supabase', 'auth0', 'clerk', 'keycloak', 'better-auth'])
        .makeOptionMandatory(),
    )
    .option('-i, --issuer <issuer>', 'Issuer of the tokens that they go on using, exactly as in MUSTER_ISSUERS.')
    .option('-r, --rejects <path>', 'Where rejected lines go, with their reasons. (default: <file>.rejected.jsonl)')
    .option('-n, --dry-run', 'Read and judge everything, and write nothing but the rejected lines.')
    .action(async (file: string, options: ImportOptions) => {
      // Loaded here, because only this command has a use for it.
      const { runImport } = await import('../import/run-import.ts')
      await runImport(file, options)
    })
}
