import type { Command } from 'commander'
import {
  listPlans,
  listUnmappedPrices,
  mapPrices,
  type Plan,
  removePlan,
  savePlan,
  unmapPrices,
} from '../../src/billing/plans.ts'
import { changeGrants } from '../../src/identity/grants.ts'
import type { Rows } from '../../src/platform/database/database.ts'
import { Fault } from '../fault.ts'
import { readPermission } from '../permission.ts'
import { note, print, printJson, styled } from '../print.ts'
import { type Bench, withDatabase } from '../with-database.ts'

export function plans(program: Command): void {
  const group = program
    .command('plans')
    .description('What can be bought, and which prices of the payment processor mean it.')
  group
    .command('list')
    .description('List all plans with their prices and grants; without a terminal one JSON object a line.')
    .option('--json', 'One JSON object a line, on a terminal too.')
    .action(({ json }: { json?: true }) =>
      withDatabase(({ database }) => list(database, json ?? !process.stdout.isTTY)),
    )
  addChanges(group)
  addPrices(group)
  addGrants(group)
}

function addChanges(group: Command): void {
  group
    .command('create')
    .description('Make a plan.')
    .argument('<plan>', 'Its id, for good: small letters, digits, _ and -.')
    .option('-n, --name <name>', 'Its name; the id where none is given.')
    .option('--default', 'What people have who never had a subscription.')
    .addHelpText('after', createExample)
    .action((id: string, options: { name?: string; default?: true }) =>
      withDatabase(async ({ database }) => {
        if (!/^[a-z][a-z0-9_-]{0,62}$/.test(id))
          throw new Fault(
            `${id} cannot be the id of a plan: use small letters, digits, _ and -, beginning with a letter.`,
          )
        if (await findPlan(database, id)) throw new Fault(`There is a plan ${id} already.`)
        await savePlan(database, { id, name: options.name, isDefault: options.default })
        print(`The plan ${id} is made. Say which prices mean it: muster plans map ${id} <price…>`)
      }),
    )
  group
    .command('rename')
    .description('Give a plan another name. Its id stays.')
    .argument('<plan>')
    .argument('<name>')
    .action((id: string, name: string) =>
      withDatabase(async ({ database }) => {
        await requirePlan(database, id)
        await savePlan(database, { id, name })
        print(`The plan ${id} is now called ${name}.`)
      }),
    )
  group
    .command('default')
    .description('Say which plan people have who never had a subscription.')
    .argument('<plan>', 'A plan, or "none".')
    .action((id: string) => withDatabase(({ database }) => setDefault(database, id)))
  group
    .command('remove')
    .description('Remove a plan that no price means.')
    .argument('<plan>')
    .action((id: string) =>
      withDatabase(async ({ database }) => {
        const { prices } = await requirePlan(database, id)
        if (prices.length > 0)
          throw new Fault(`Prices still mean ${id}; take them away first: muster plans unmap ${prices.join(' ')}`)
        await removePlan(database, id)
        print(`The plan ${id} is removed.`)
      }),
    )
}

const createExample = `
Example:
  muster plans create pro --name Pro
  muster plans map pro price_1MoBy5LkdIwHu7ixZhnattbh price_1NpXq2LkdIwHu7ixY0aQb0Tz
  muster plans grant pro reports:export`

function addPrices(group: Command): void {
  group
    .command('map')
    .description('Make prices of the payment processor mean a plan. Whoever pays one of them has the plan at once.')
    .argument('<plan>')
    .argument('<price...>', 'Ids of prices.')
    .action((id: string, priceIds: string[]) =>
      withDatabase(async ({ database }) => {
        await requirePlan(database, id)
        await mapPrices(database, id, priceIds)
        print(`Now ${id}: ${priceIds.join(', ')}`)
      }),
    )
  group
    .command('unmap')
    .description(
      'Take prices from their plan. Whoever pays one of them keeps the subscription, without the plan’s grants.',
    )
    .argument('<price...>', 'Ids of prices.')
    .action((priceIds: string[]) =>
      withDatabase(async ({ database }) => {
        const unmapped = await unmapPrices(database, priceIds)
        print(unmapped.length === 0 ? 'None of them belonged to a plan.' : `Without a plan now: ${unmapped.join(', ')}`)
      }),
    )
  group
    .command('unmapped')
    .description('List the prices that people pay and that mean no plan.')
    .option('--json', 'One JSON object a line, on a terminal too.')
    .action(({ json }: { json?: true }) =>
      withDatabase(({ database }) => listUnmapped(database, json ?? !process.stdout.isTTY)),
    )
}

function addGrants(group: Command): void {
  const permission = 'Permissions as resource:action, such as reports:export.'
  group
    .command('grant')
    .description('Let everybody with a plan do something.')
    .argument('<plan>')
    .argument('<permission...>', permission)
    .action((id: string, permissions: string[]) =>
      withDatabase(({ database }) => change(database, id, permissions, true)),
    )
  group
    .command('revoke')
    .description('Take a permission from a plan.')
    .argument('<plan>')
    .argument('<permission...>', permission)
    .action((id: string, permissions: string[]) =>
      withDatabase(({ database }) => change(database, id, permissions, false)),
    )
}

async function list(rows: Rows, asJson: boolean): Promise<void> {
  for (const plan of await listPlans(rows)) {
    if (asJson) {
      printJson(plan)
      continue
    }
    print(`${styled('bold', plan.id)}  ${plan.name}${plan.is_default ? '  (default)' : ''}`)
    print(`  prices         ${plan.prices.join(', ') || '–'}`)
    print(`  grants         ${plan.grants.join(', ') || '–'}`)
    print(`  subscriptions  ${plan.subscriptions}`)
  }
}

async function listUnmapped(rows: Rows, asJson: boolean): Promise<void> {
  const prices = await listUnmappedPrices(rows)
  if (prices.length === 0) return note('Every price that people pay means a plan.')
  for (const price of prices)
    if (asJson) printJson(price)
    else print(`${price.price_id}  ${price.subscriptions} subscriptions  ${price.product_name ?? ''}`.trimEnd())
}

async function setDefault(database: Bench['database'], id: string): Promise<void> {
  const before = (await listPlans(database)).find((plan) => plan.is_default)
  if (id === 'none') {
    if (before) await savePlan(database, { id: before.id, isDefault: false })
    return print('People without a subscription have no plan now.')
  }
  await requirePlan(database, id)
  await savePlan(database, { id, isDefault: true })
  print(`People without a subscription have ${id} now.`)
}

async function change(
  database: Bench['database'],
  id: string,
  texts: readonly string[],
  isGranted: boolean,
): Promise<void> {
  await requirePlan(database, id)
  const permissions = texts.map(readPermission)
  const changed = await changeGrants(database, { kind: 'plan', id }, permissions, isGranted)
  print(changed.length === 0 ? 'Nothing to change.' : `${isGranted ? 'Granted' : 'Revoked'}: ${changed.join(', ')}`)
}

async function findPlan(rows: Rows, id: string): Promise<Plan | undefined> {
  return (await listPlans(rows)).find((plan) => plan.id === id)
}

async function requirePlan(rows: Rows, id: string): Promise<Plan> {
  const plan = await findPlan(rows, id)
  if (!plan) throw new Fault(`There is no plan ${id}: muster plans list tells those that there are.`)
  return plan
}
