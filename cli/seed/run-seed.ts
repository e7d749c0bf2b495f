import { randomBytes } from 'node:crypto'
import type { Config } from '../../src/config.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { Secret } from '../../src/platform/secret.ts'
import { encryptionKeysOf } from '../../src/service/encryption.ts'
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

/** The work of `muster seed`, in one transaction. */
export async function runSeed({ randomSeed, users, orgs, yes }: SeedOptions): Promise<void> {
  await withDatabase(async ({ database, config }) => {
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
  if (population.users < 1 || population.orgs < 1) throw new Fault('--users and --orgs must be at least 1.')
  const client = await database.connect()
  const progress = startProgress('Seeding', populationRows(population), 'rows')
  try {
    const isNew = await growPopulation(client, population, { seed, issuer: builtInIssuer, onRows: progress.advance })
    const { users, orgs } = population
    progress.done(isNew ? `Inserted ${users} users and ${orgs} organisations.` : 'The database already has such users.')
  } catch (error) {
    progress.failed()
    throw error
  } finally {
    await client.end()
  }
}

/** How the demo users sign in; undefined where the built-in issuer is switched off. */
function signInOf(config: Config): DemoSignIn | undefined {
  if (!config.issuer.isEnabled) return undefined
  return {
    password: new Secret(randomBytes(12).toString('base64url')),
    encryption: openEncryption(encryptionKeysOf(config)),
  }
}

function printInserted(inserted: ReadonlyMap<string, number>, data: DemoData, signIn: DemoSignIn | undefined): void {
  printPairs([...inserted].map(([table, count]) => [table, String(count)]))
  // No device shows the codes of the made-up second factors: the example has none.
  const example = data.people.find(
    ({ id, isDisabled }) => !isDisabled && !data.factors.some((one) => one.accountId === id),
  )
  if (!signIn || !example) return
  print(
    `\nUsers without a second factor sign in with the password ${signIn.password.open()}, for example ${example.email}.`,
  )
}
