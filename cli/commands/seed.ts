import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import type { Config } from '../../src/config.ts'
import { builtInIssuer } from '../../src/identity/issuers/names.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { Secret } from '../../src/platform/secret.ts'
import { openEncryption } from '../../src/sign-in/keys/encryption.ts'
import { encryptionKeysOf } from '../../src/sign-in/settings.ts'
import { hasAccounts } from '../../src/users/accounts.ts'
import { Fault } from '../errors.ts'
import { wholeNumber } from '../options.ts'
import { note, print, printPairs } from '../print.ts'
import { withProgress } from '../progress.ts'
import { type DemoData, type DemoSignIn, insertDemoData, makeDemoData } from '../seed/demo-data.ts'
import { growPopulation, type PopulationSize, populationRows } from '../seed/population.ts'
import { withConfig } from '../with-database.ts'

export function seed(command: Command): void {
  command
    .description(
      'Create demo data: users, organizations, plans with prices, subscriptions and second factors. The same seed creates the same data; existing rows stay unchanged. All demo users share one random password, which the command prints.',
    )
    .option('-s, --random-seed <number>', 'Seed of the demo data.', wholeNumber(0, 999_999_999), 1)
    .option(
      '-u, --users <number>',
      'Create this many users without passwords instead, to test large databases.',
      wholeNumber(1, 999_999_999),
    )
    .option(
      '-o, --orgs <number>',
      'With --users: number of organizations. Default: a tenth of the users.',
      wholeNumber(1, 999_999_999),
    )
    .option('-y, --yes', 'Add demo data even if the database of DATABASE_URL has users.')
    .action(runSeed)
}

interface SeedOptions {
  readonly randomSeed: number
  readonly users?: number
  readonly orgs?: number
  readonly yes?: true
}

const size = { users: 50, organizations: 8 } as const

async function runSeed({ randomSeed, users, orgs, yes }: SeedOptions): Promise<void> {
  await withConfig(async ({ database, config }) => {
    if (config.database.url && !yes && (await hasAccounts(database)))
      throw new Fault('The database of DATABASE_URL has users. Add --yes to add demo data to it.')
    if (users !== undefined) return seedPopulation(database, { users, orgs: orgs ?? Math.ceil(users / 10) }, randomSeed)
    const data = makeDemoData(randomSeed, size)
    const signIn = signInOf(config)
    const inserted = await database.transaction((rows) => insertDemoData(rows, data, signIn))
    if (inserted.get('account') === 0) note(`The database already has the demo data of seed ${randomSeed}.`)
    else printInserted(inserted, data, signIn)
  })
}

async function seedPopulation(database: Database, population: PopulationSize, seed: number): Promise<void> {
  const client = await database.connect()
  const { users, orgs } = population
  try {
    await withProgress(
      ['Seeding', populationRows(population), 'rows'],
      ({ advance }) => growPopulation(client, population, { seed, issuer: builtInIssuer, onRows: advance }),
      (isNew) =>
        isNew
          ? `Created ${users} users and ${orgs} organizations.`
          : 'The database already has users of muster seed --users.',
    )
  } finally {
    await client.end()
  }
}

/** Returns undefined if the built-in issuer is off. */
function signInOf(config: Config): DemoSignIn | undefined {
  if (!config.issuer.isEnabled) return undefined
  return {
    password: new Secret(randomBytes(12).toString('base64url')),
    encryption: openEncryption(encryptionKeysOf(config)),
  }
}

function printInserted(inserted: ReadonlyMap<string, number>, data: DemoData, signIn: DemoSignIn | undefined): void {
  printPairs([...inserted].map(([table, count]) => [table, String(count)]))
  // The example has no second factor, because no device shows the codes of the demo factors.
  const example = data.users.find(
    ({ id, isDisabled }) => !isDisabled && !data.factors.some((one) => one.accountId === id),
  )
  if (!signIn || !example) return
  print(
    `\nUsers without a second factor sign in with the password ${signIn.password.open()}, for example ${example.email}.`,
  )
}
