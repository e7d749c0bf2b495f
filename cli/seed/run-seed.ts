import { randomBytes } from 'node:crypto'
import type { Config } from '../../src/config.ts'
import { encryptionKeysOf } from '../../src/parts.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { Secret } from '../../src/platform/secret.ts'
import { openEncryption } from '../../src/sign-in/keys/encryption-key.ts'
import { builtInIssuer } from '../../src/sign-in/sessions/access-tokens.ts'
import { hasAccounts } from '../../src/users/accounts.ts'
import { Fault } from '../fault.ts'
import { note, print, printPairs } from '../print.ts'
import { startProgress } from '../progress.ts'
import { withDatabase } from '../with-database.ts'
import { type DemoData, makeDemoData } from './demo-data.ts'
import { type DemoSignIn, insertDemoData } from './insert-demo-data.ts'
import { growPopulation, type PopulationSize, populationRows } from './population.ts'

export interface SeedOptions {
  readonly randomSeed: number
  readonly users?: number
  readonly orgs?: number
  readonly yes?: true
}

const size = { people: 50, organizations: 8 } as const

/** The work of `muster seed`: all of the demo data, or none of it. */
export async function runSeed({ randomSeed, users, orgs, yes }: SeedOptions): Promise<void> {
  await withDatabase(async ({ database, config }) => {
    if (config.database.url && !yes && (await hasAccounts(database)))
      throw new Fault('DATABASE_URL leads to a database with people in it: add --yes to put demo people beside them.')
    if (users !== undefined) return seedPopulation(database, { users, orgs: orgs ?? Math.ceil(users / 10) }, randomSeed)
    const data = makeDemoData(randomSeed, size)
    const signIn = signInOf(config)
    const inserted = await database.transaction((rows) => insertDemoData(rows, data, signIn))
    if (inserted.get('account') === 0) note(`The demo data of seed ${randomSeed} is there already.`)
    else tell(inserted, data, signIn)
  })
}

async function seedPopulation(database: Database, population: PopulationSize, seed: number): Promise<void> {
  if (population.users < 1 || population.orgs < 1)
    throw new Fault('A population has a user and an organisation at least.')
  const client = await database.connect()
  const progress = startProgress('Seeding', populationRows(population), 'rows')
  try {
    const isNew = await growPopulation(client, population, { seed, issuer: builtInIssuer, told: progress.advance })
    const { users, orgs } = population
    progress.done(isNew ? `${users} users and ${orgs} organisations are there.` : 'A population is there already.')
  } catch (error) {
    progress.failed()
    throw error
  } finally {
    await client.end()
  }
}

/** What lets the demo people sign in, unless the built-in issuer is switched off. */
function signInOf(config: Config): DemoSignIn | undefined {
  if (!config.issuer.isEnabled) return undefined
  return {
    password: new Secret(randomBytes(12).toString('base64url')),
    encryption: openEncryption(encryptionKeysOf(config)),
  }
}

function tell(inserted: ReadonlyMap<string, number>, data: DemoData, signIn: DemoSignIn | undefined): void {
  printPairs([...inserted].map(([table, count]) => [table, String(count)]))
  // The second factors are made up as well: nobody has a device that shows their codes.
  const example = data.people.find(
    ({ id, isDisabled }) => !isDisabled && !data.factors.some((one) => one.accountId === id),
  )
  if (!signIn || !example) return
  print(
    `\nWhoever has no second factor signs in with the password ${signIn.password.open()}, such as ${example.email}.`,
  )
}
