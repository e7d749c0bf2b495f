import type { Command } from 'commander'

export function serve(program: Command): void {
  program
    .command('serve')
    .summary('Run the service.')
    .description(
      'Apply pending migrations and run the service until Ctrl-C or SIGTERM. It then finishes the open requests and exits.',
    )
    .addHelpText('after', examples)
    .action(async () => {
      // Loaded here, because only this command needs the web server.
      const service = await import('../../src/serve.ts')
      await service.serve(process.env)
    })
}

const examples = `
Examples:
  muster serve
  MUSTER_PORT=8080 DATABASE_URL_FILE=/run/secrets/database-url muster serve`
