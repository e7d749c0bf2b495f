import type { Command } from 'commander'

export function backup(program: Command): void {
  program
    .command('backup')
    .summary('Back up the embedded database to a new folder.')
    .description(
      'Copy the embedded database, its password and its keys to a new folder, with the hash of every file. The service can keep running: the copy shows the moment at which the backup ends. With DATABASE_URL, use the backup tools of PostgreSQL, or muster dump.',
    )
    .argument('<folder>', 'The new folder; it must not exist.')
    .action(async (folder: string) => {
      // Loaded here, because no other command needs it.
      const { runBackup } = await import('../run-backup.ts')
      await runBackup(folder)
    })
}

export function restore(program: Command): void {
  program
    .command('restore')
    .summary('Restore a data directory from a backup.')
    .description(
      'Verify the hashes of a backup and make the data directory from it. Refuses a data directory with a database.',
    )
    .argument('<folder>', 'The folder of the backup.')
    .option('--end-sessions', 'End every session: all users sign in again.')
    .action(async (folder: string, options: { endSessions?: true }) => {
      const { runRestore } = await import('../run-backup.ts')
      await runRestore(folder, options)
    })
}
