import type { Command } from 'commander'

interface PassphraseOption {
  readonly passphraseFile?: string
}

export function backup(program: Command): void {
  program
    .command('backup')
    .summary('Back up the database to a file.')
    .description(
      'Write all rows of the embedded database, or of DATABASE_URL, to a new compressed file, as of one moment. The service can keep running. muster restore reads it into any PostgreSQL that Muster supports. With the embedded database the file contains the encryption key, unless MUSTER_ENCRYPTION_KEY is set. Only its owner may read the file.',
    )
    .argument('<file>', 'The new file; it must not exist.')
    .option('--passphrase-file <file>', 'Encrypt the backup with the passphrase in this file.')
    .addHelpText('after', backupExamples)
    .action(async (file: string, options: PassphraseOption) => {
      const { runBackup } = await loadRunners()
      await runBackup(file, options)
    })
}

export function restore(program: Command): void {
  program
    .command('restore')
    .summary('Restore a backup into a database without data.')
    .description(
      'Verify a file of muster backup, and restore it into a new embedded database or the empty database of DATABASE_URL. Then apply the migrations that are newer than the backup. Refuses a database with data, a damaged file, a backup of a newer schema, and another encryption key. An interrupted restore leaves no data, and can be repeated. Restore before the first start of the service.',
    )
    .argument('<file>', 'The file of muster backup.')
    .option('--passphrase-file <file>', 'The file with the passphrase of an encrypted backup.')
    .option('--end-sessions', 'End every session: all users sign in again.')
    .addHelpText('after', restoreExamples)
    .action(async (file: string, options: PassphraseOption & { endSessions?: true }) => {
      const { runRestore } = await loadRunners()
      await runRestore(file, options)
    })
}

const backupExamples = `
Examples:
  muster backup /backups/muster-2026-11-22.backup
  muster backup /backups/muster-2026-11-22.backup --passphrase-file ./passphrase`

const restoreExamples = `
Examples:
  MUSTER_DATA_DIR=/new/data muster restore muster.backup
  DATABASE_URL=postgres://… MUSTER_ENCRYPTION_KEY_FILE=./data/encryption-key muster restore muster.backup`

/** Loaded when a command runs: no other command needs them. */
function loadRunners() {
  return import('../run-backup.ts')
}
