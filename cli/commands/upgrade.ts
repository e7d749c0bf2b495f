import type { Command } from 'commander'

export function upgrade(program: Command): void {
  program
    .command('upgrade')
    .summary('Upgrade the embedded database from an older major version of PostgreSQL.')
    .description(
      'Dump the embedded database with the programs of its own major version, and load the dump into a new one of the version that this Muster contains. The old one stays beside it, in postgres-<version> of the data directory. Stop the service before. An interrupted upgrade can be repeated. docs/backup.md says how to install the programs.',
    )
    .option('--programs <folder>', 'The folder of the old version’s programs, or the npm package that has them.')
    .addHelpText('after', example)
    .action(async (options: { programs?: string }) => {
      // Loaded here, because no other command needs it.
      const { runUpgrade } = await import('../run-upgrade.ts')
      await runUpgrade(options)
    })
}

const example = `
Example:
  muster upgrade --programs /usr/lib/postgresql/17/bin`
