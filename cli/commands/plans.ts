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
import { type CommandContext, withDatabase } from '../with-database.ts'

export function plans(program: Command): void {
  const group = program
    .command('plans')
    .description('Plans, their grants, and the prices of the payment processor that are mapped to them.')
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
    .description('Create a plan.')
    .argument('<plan>', 'Its permanent id: lower-case letters, digits, _ and -.')
    .option('-n, --name <name>', 'Its name; the id by default.')
    .option('--default', 'Make it the plan of accounts that never had a subscription.')
    .addHelpText('after', createExample)
    .action((id: string, options: { name?: string; default?: true }) =>
      withDatabase(async ({ database }) => {
        if (!/^[a-z][a-z0-9_-]{0,62}$/.test(id))
          throw new Fault(
            `${id} cannot be the id of a plan: use lower-case letters, digits, _ and -, beginning with a letter.`,
          )
        if (await findPlan(database, id)) throw new Fault(`There is a plan ${id} already.`)
        await savePlan(database, { id, name: options.name, isDefault: options.default })
        print(`Created the plan ${id}. Map prices to it: muster plans map ${id} <price…>`)
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
    .description('Set the plan of accounts that never had a subscription.')
    .argument('<plan>', 'A plan, or "none".')
    .action((id: string) => withDatabase(({ database }) => setDefault(database, id)))
  group
    .command('remove')
    .description('Remove a plan without prices.')
    .argument('<plan>')
    .action((id: string) =>
      withDatabase(async ({ database }) => {
        const { prices } = await requirePlan(database, id)
        if (prices.length > 0)
          throw new Fault(`Prices are still mapped to ${id}. Remove them first: muster plans unmap ${prices.join(' ')}`)
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
    .description('Map prices of the payment processor to a plan. Their subscriptions have the plan at once.')
    .argument('<plan>')
    .argument('<price...>', 'Ids of prices.')
    .action((id: string, priceIds: string[]) =>
      withDatabase(async ({ database }) => {
        await requirePlan(database, id)
        await mapPrices(database, { planId: id, priceIds })
        print(`Now ${id}: ${priceIds.join(', ')}`)
      }),
    )
  group
    .command('unmap')
    .description('Remove the mapping of prices. Their subscriptions stay, without the plan’s grants.')
    .argument('<price...>', 'Ids of prices.')
    .action((priceIds: string[]) =>
      withDatabase(async ({ database }) => {
        const unmapped = await unmapPrices(database, { priceIds })
        print(
          unmapped.length === 0 ? 'None of them was mapped to a plan.' : `Without a plan now: ${unmapped.join(', ')}`,
        )
      }),
    )
  group
    .command('unmapped')
    .description('List the prices of subscriptions that are mapped to no plan.')
    .option('--json', 'One JSON object a line, on a terminal too.')
    .action(({ json }: { json?: true }) =>
      withDatabase(({ database }) => listUnmapped(database, json ?? !process.stdout.isTTY)),
    )
}

function addGrants(group: Command): void {
  const permission = 'Permissions as resource:action, such as reports:export.'
  group
    .command('grant')
    .description('Give permissions to everyone with a plan.')
    .argument('<plan>')
    .argument('<permission...>', permission)
    .action((id: string, permissions: string[]) => withDatabase((context) => change(context, id, permissions, true)))
  group
    .command('revoke')
    .description('Remove permissions from a plan.')
    .argument('<plan>')
    .argument('<permission...>', permission)
    .action((id: string, permissions: string[]) => withDatabase((context) => change(context, id, permissions, false)))
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
  if (prices.length === 0) return note('Every price of a subscription is mapped to a plan.')
  for (const price of prices)
    if (asJson) printJson(price)
    else print(`${price.price_id}  ${price.subscriptions} subscriptions  ${price.product_name ?? ''}`.trimEnd())
}

async function setDefault(database: CommandContext['database'], id: string): Promise<void> {
  const before = (await listPlans(database)).find((plan) => plan.is_default)
  if (id === 'none') {
    if (before) await savePlan(database, { id: before.id, isDefault: false })
    return print('Accounts without a subscription now have no plan.')
  }
  await requirePlan(database, id)
  await savePlan(database, { id, isDefault: true })
  print(`Accounts without a subscription now have the plan ${id}.`)
}

async function change(
  context: CommandContext,
  id: string,
  texts: readonly string[],
  isGranted: boolean,
): Promise<void> {
  await requirePlan(context.database, id)
  const permissions = texts.map(readPermission)
  const changed = await changeGrants(context, { kind: 'plan', id }, permissions, isGranted)
  print(changed.length === 0 ? 'Nothing to change.' : `${isGranted ? 'Granted' : 'Revoked'}: ${changed.join(', ')}`)
}

async function findPlan(rows: Rows, id: string): Promise<Plan | undefined> {
  return (await listPlans(rows)).find((plan) => plan.id === id)
}

async function requirePlan(rows: Rows, id: string): Promise<Plan> {
  const plan = await findPlan(rows, id)
  if (!plan) throw new Fault(`There is no plan ${id}. List all plans: muster plans list`)
  return plan
}
