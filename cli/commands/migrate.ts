import type { Command } from 'commander'
import * as migrations from '../../src/platform/database/migrate.ts'
import { note, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function migrate(program: Command): void {
  program
    .command('migrate')
    .summary('Bring the database up to date.')
    .description(
      'Bring the database up to date. The service does the same when it starts; several may try at once, and one works. Prints the name of each migration that was applied.',
    )
    .action(() => withDatabase(apply, { anySchema: true }))
}

async function apply({ database, log }: Parameters<Parameters<typeof withDatabase>[0]>[0]): Promise<void> {
  const applied = await migrations.migrate(database, migrations.migrationsFolder(), log)
  for (const name of applied) print(name)
  if (applied.length === 0) note('The database is up to date.')
}
