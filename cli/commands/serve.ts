import type { Command } from 'commander'
import { note, print } from '../print.ts'

export function serve(command: Command): void {
  command
    .description(
      'Apply pending migrations and run the service until Ctrl-C or SIGTERM. The service then finishes open requests and exits.',
    )
    .addHelpText('after', serveExamples)
    .action(async () => {
      // Loaded here, because only this command needs the web server.
      const service = await import('../../src/serve.ts')
      await service.serve(process.env)
    })
}

const serveExamples = `
Examples:
  muster serve
  MUSTER_PORT=8080 DATABASE_URL_FILE=/run/secrets/database-url muster serve`

export function migrate(command: Command): void {
  command
    .description(
      'Apply pending schema migrations and print their names. The service does the same at its start, so this command is optional. Several processes can migrate at the same time: one applies the migrations, the others wait.',
    )
    .action(async () => {
      const [{ withDatabase }, { migrate }, { migrationsFolder }] = await Promise.all([
        import('../with-database.ts'),
        import('../../src/platform/database/migrate.ts'),
        import('../../src/platform/database/schema.ts'),
      ])
      await withDatabase(
        async ({ database, log }) => {
          const applied = await migrate(database, migrationsFolder(), log)
          for (const name of applied) print(name)
          if (applied.length === 0) note('The schema is up to date.')
        },
        { anySchema: true },
      )
    })
}
