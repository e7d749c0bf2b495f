import { type Command, InvalidArgumentError } from 'commander'
import type { SeedOptions } from '../seed/run-seed.ts'

export function seed(program: Command): void {
  program
    .command('seed')
    .summary('Fill the database with demo data.')
    .description(
      'Fill the database with demo data: users, organisations, plans with prices, subscriptions, second factors. The same seed makes the same data; existing rows stay unchanged. The users sign in with one random password, which the command prints.',
    )
    .option('-s, --random-seed <number>', 'Seed of the demo data.', wholeNumber, 1)
    .option('-u, --users <number>', 'Make this many users without passwords instead, to try out size.', wholeNumber)
    .option(
      '-o, --orgs <number>',
      'With --users: this many organisations. (default: a tenth of the users)',
      wholeNumber,
    )
    .option('-y, --yes', 'Do it even when the database of DATABASE_URL has users.')
    .action(async (options: SeedOptions) => {
      // Loaded here, because no other command needs it.
      const { runSeed } = await import('../seed/run-seed.ts')
      await runSeed(options)
    })
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number of at most nine digits.')
}
