import type { Command } from 'commander'
import * as migrations from '../../src/platform/database/migrate.ts'
import { migrationsFolder } from '../../src/platform/database/schema.ts'
import { note, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function migrate(program: Command): void {
  program
    .command('migrate')
    .summary('Apply pending migrations to the database.')
    .description(
      'Apply pending migrations to the database. The service does the same when it starts; of several at once, one applies them and the others wait. Prints the name of each migration that it applied.',
    )
    .action(() => withDatabase(apply, { anySchema: true }))
}

async function apply({ database, log }: Parameters<Parameters<typeof withDatabase>[0]>[0]): Promise<void> {
  const applied = await migrations.migrate(database, migrationsFolder(), log)
  for (const name of applied) print(name)
  if (applied.length === 0) note('The database is up to date.')
}
