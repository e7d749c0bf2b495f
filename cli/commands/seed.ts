import { type Command, InvalidArgumentError } from 'commander'
import type { SeedOptions } from '../seed/run-seed.ts'

export function seed(program: Command): void {
  program
    .command('seed')
    .summary('Put demo data into the database.')
    .description(
      'Put demo data into the database: people, organisations, plans with prices, subscriptions, second factors. The same for the same seed; what is there stays as it is. The people sign in with one random password, which is printed.',
    )
    .option('-s, --random-seed <number>', 'Which demo data to make.', wholeNumber, 1)
    .option(
      '-u, --users <number>',
      'Make so many people, for trying out size: nobody of them has a password.',
      wholeNumber,
    )
    .option('-o, --orgs <number>', 'Among so many organisations. (default: a tenth of the users)', wholeNumber)
    .option('-y, --yes', 'Do it even where DATABASE_URL leads to a database with people in it.')
    .action(async (options: SeedOptions) => {
      // Loaded here, because only this command has a use for it.
      const { runSeed } = await import('../seed/run-seed.ts')
      await runSeed(options)
    })
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number of at most nine digits.')
}
