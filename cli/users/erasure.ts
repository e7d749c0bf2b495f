import { exportAccount } from '../../src/identity/account-export.ts'
import { type ErasureSettings, eraseAccount } from '../../src/identity/erase-account.ts'
import { requestErasure } from '../../src/identity/erasure.ts'
import { erasuresFile, readErasures } from '../../src/identity/erasures-file.ts'
import type { Rows } from '../../src/platform/database/database.ts'
import { issuerNamesOf } from '../../src/sign-in/settings.ts'
import { Fault } from '../errors.ts'
import { findAccount } from '../find-account.ts'
import { note, print } from '../print.ts'
import { type ConfiguredContext, withConfig } from '../with-database.ts'
import { outboxOf } from './outbox.ts'

interface EraseOptions {
  readonly now?: true
  readonly again?: true
}

/** `muster users erase`. */
export async function eraseUser(who: string | undefined, { now, again }: EraseOptions): Promise<void> {
  if ((who === undefined) === (again === undefined) || (now && again))
    throw new Fault('Name a user, with or without --now, or use --again alone.')
  await withConfig(async (context) => {
    if (who === undefined) await eraseAgain(context)
    else await erase(context, who, now === true)
  })
}

/** `muster users export`. */
export async function exportUser(who: string): Promise<void> {
  await withConfig(async ({ database, config }) => {
    const { id } = await findAccount(database, who)
    const issuers = issuerNamesOf(config)
    for await (const piece of await exportAccount(database, { accountId: id, issuers })) process.stdout.write(piece)
    print('')
  })
}

function settingsOf({ config, log }: ConfiguredContext): ErasureSettings {
  return { afterDays: config.retention.eraseAfterDays, dataDir: config.dataDir, outbox: outboxOf(config), log }
}

async function erase(context: ConfiguredContext, who: string, isNow: boolean): Promise<void> {
  const { database, acceptedIssuers } = context
  const settings = settingsOf(context)
  const { id } = await findAccount(database, who)
  const customers = await customersOf(database, id)
  const afterDays = isNow ? 0 : settings.afterDays
  const erasesAt = await database.transaction((rows) =>
    requestErasure(rows, { accountId: id, afterDays, acceptedIssuers, outbox: settings.outbox }),
  )
  if (afterDays > 0) print(`Disabled ${who}. The user will be deleted at ${erasesAt.toISOString()}.`)
  else {
    await eraseAccount(database, settings, id)
    print(`Deleted ${who}.`)
  }
  for (const { processor, customer } of customers)
    note(`The customer ${customer} still exists at ${processor}. Delete the user’s data there yourself.`)
}

/** A restored backup brings back users that were deleted after it was made. `erasures.ndjson` lists them. */
async function eraseAgain(context: ConfiguredContext): Promise<void> {
  const { database } = context
  const settings = settingsOf(context)
  const lines = await readErasures(settings.dataDir)
  if (lines.length === 0) throw new Fault(`${erasuresFile(settings.dataDir)} lists no deleted users.`)
  let erased = 0
  for (const accountId of new Set(lines.map((line) => line.accountId)))
    if (await eraseAccount(database, settings, accountId, { isAgain: true })) erased += 1
  print(erased === 0 ? 'No deleted user came back.' : `Users deleted again: ${erased}.`)
}

async function customersOf(rows: Rows, accountId: string): Promise<{ processor: string; customer: string }[]> {
  return rows.query(customersStatement, [accountId])
}

/** Customers of the account, and of organizations whose only member it is. */
const customersStatement = {
  name: 'erasure_customers',
  text: `
select processor, id as customer from customer c
where c.account_id = $1 or c.organization_id in (
  select m.organization_id from membership m
  where m.account_id = $1 and not exists (
    select from membership o where o.organization_id = m.organization_id and o.account_id <> $1))
order by processor, id
limit 100`,
}
