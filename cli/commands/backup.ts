import type { Command } from 'commander'

export function backup(program: Command): void {
  program
    .command('backup')
    .summary('Copy the embedded database, whole, into a new folder.')
    .description(
      'Copy the embedded database with its password and keys into a new folder, and note the hash of every file. The service may go on working meanwhile: the copy is of the moment at which it ends. With DATABASE_URL, use what your PostgreSQL has for it.',
    )
    .argument('<folder>', 'Where to; it must not be there yet.')
    .action(async (folder: string) => {
      // Loaded here, because only this command has a use for it.
      const { runBackup } = await import('../run-backup.ts')
      await runBackup(folder)
    })
}

export function restore(program: Command): void {
  program
    .command('restore')
    .summary('Make a data directory from a backup.')
    .description(
      'Verify a backup by its hashes and make the data directory from it. Never over a database that is there.',
    )
    .argument('<folder>', 'The backup.')
    .action(async (folder: string) => {
      const { runRestore } = await import('../run-backup.ts')
      await runRestore(folder)
    })
}
