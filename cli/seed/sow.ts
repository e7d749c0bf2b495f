import { randomBytes } from 'node:crypto'
import { hasAccounts } from '../../src/accounts/people.ts'
import type { Config } from '../../src/config.ts'
import { openSealer } from '../../src/open-parts.ts'
import { Secret } from '../../src/secret.ts'
import { Fault } from '../fault.ts'
import { note, print, printPairs } from '../print.ts'
import { withDatabase } from '../with-database.ts'
import { type DemoData, makeDemoData } from './demo-data.ts'
import { type DemoSignIn, plant } from './plant.ts'

export interface SeedOptions {
  readonly randomSeed: number
  readonly yes?: true
}

const size = { people: 50, organizations: 8 } as const

/** The work of `muster seed`: all of the demo data, or none of it. */
export async function sow({ randomSeed, yes }: SeedOptions): Promise<void> {
  await withDatabase(async ({ database, config }) => {
    if (config.database.url && !yes && (await hasAccounts(database)))
      throw new Fault('DATABASE_URL leads to a database with people in it: add --yes to put demo people beside them.')
    const data = makeDemoData(randomSeed, size)
    const signIn = signInOf(config)
    const planted = await database.transaction((rows) => plant(rows, data, signIn))
    if (planted.get('account') === 0) note(`The demo data of seed ${randomSeed} is there already.`)
    else tell(planted, data, signIn)
  })
}

/** What lets the demo people sign in, unless the built-in issuer is switched off. */
function signInOf(config: Config): DemoSignIn | undefined {
  if (!config.issuer.isEnabled) return undefined
  return { password: new Secret(randomBytes(12).toString('base64url')), sealer: openSealer(config) }
}

function tell(planted: ReadonlyMap<string, number>, data: DemoData, signIn: DemoSignIn | undefined): void {
  printPairs([...planted].map(([table, count]) => [table, String(count)]))
  // The second factors are made up as well: nobody has a device that shows their codes.
  const example = data.people.find(
    ({ id, isDisabled }) => !isDisabled && !data.factors.some((one) => one.accountId === id),
  )
  if (!signIn || !example) return
  print(
    `\nWhoever has no second factor signs in with the password ${signIn.password.open()}, such as ${example.email}.`,
  )
}
