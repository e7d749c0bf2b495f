import type { Command } from 'commander'

export function dump(program: Command): void {
  program
    .command('dump')
    .summary('Write everything that the database holds to a file.')
    .description(
      'Write all rows of the embedded database, or of DATABASE_URL, to a new compressed file, as of one moment. The service can keep running. muster load reads it into any PostgreSQL that Muster supports. The file contains password hashes: only its owner may read it. It does not contain the encryption key.',
    )
    .argument('<file>', 'The new file; it must not exist.')
    .addHelpText('after', dumpExample)
    .action(async (file: string) => {
      const { runDump } = await loadRunners()
      await runDump(file)
    })
}

export function load(program: Command): void {
  program
    .command('load')
    .summary('Load a dump into a database without data.')
    .description(
      'Verify a file of muster dump, and load it into a new embedded database or the empty database of DATABASE_URL. Then apply the migrations that are newer than the dump. Refuses a database with data, a damaged file, the dump of a newer schema, and another encryption key. An interrupted load leaves no data, and can be repeated. Load before the first start of the service.',
    )
    .argument('<file>', 'The file of muster dump.')
    .option('--end-sessions', 'End every session: all users sign in again.')
    .addHelpText('after', loadExamples)
    .action(async (file: string, options: { endSessions?: true }) => {
      const { runLoad } = await loadRunners()
      await runLoad(file, options)
    })
}

const dumpExample = `
Example:
  muster dump /backups/muster-2026-11-22.dump`

const loadExamples = `
Examples:
  MUSTER_DATA_DIR=/new/data muster load muster.dump
  DATABASE_URL=postgres://… MUSTER_ENCRYPTION_KEY_FILE=./data/encryption-key muster load muster.dump`

/** Loaded when a command runs: no other command needs them. */
function loadRunners() {
  return import('../run-dump.ts')
}
