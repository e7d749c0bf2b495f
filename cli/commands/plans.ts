import type { Command } from 'commander'
import {
  listPlans,
  listUnmappedPrices,
  mapPrices,
  type Plan,
  rankPlan,
  removePlan,
  savePlan,
  type UnmappedPrice,
  unmapPrices,
} from '../../src/billing/plans.ts'
import { planRankMax } from '../../src/billing/plans-contract.ts'
import type { Database, Rows } from '../../src/platform/database/database.ts'
import { Fault } from '../errors.ts'
import { jsonLinesOption } from '../options.ts'
import { changePermissions, requireNewId } from '../permissions.ts'
import { print, printJson, styled } from '../print.ts'
import type { Column } from '../table.ts'
import { printsRows, withConfig, withDatabase } from '../with-database.ts'

export function plans(group: Command): void {
  group
    .command('list')
    .description(
      'List all plans with their prices and permissions. Prints one JSON object per line if standard output is not a terminal.',
    )
    .option(...jsonLinesOption)
    .action(({ json }: { json?: true }) =>
      withDatabase(({ database }) => list(database, json ?? !process.stdout.isTTY)),
    )
  addChanges(group)
  addRank(group)
  addPrices(group)
  addGrants(group)
}

function addChanges(group: Command): void {
  group
    .command('create')
    .description('Create a plan.')
    .argument('<plan>', 'Permanent ID: lowercase letters, digits, _ and -.')
    .option('-n, --name <name>', 'Display name. Default: the ID.')
    .option('--default', 'Make it the plan of every user. Users who never had a subscription show it.')
    .addHelpText('after', createExample)
    .action((id: string, options: { name?: string; default?: true }) =>
      withDatabase(async ({ database }) => {
        requireNewId(id, 'plan')
        if (await findPlan(database, id)) throw new Fault(`The plan ${id} already exists.`)
        await savePlan(database, { id, name: options.name, isDefault: options.default })
        print(`Created the plan ${id}. Map prices to it: muster plans map ${id} <price…>`)
      }),
    )
  group
    .command('rename <plan> <name>')
    .description('Change the name of a plan. Its ID stays the same.')
    .action((id: string, name: string) =>
      withPlan(id, async (database) => {
        await savePlan(database, { id, name })
        print(`The plan ${id} now has the name ${name}.`)
      }),
    )
  group
    .command('default')
    .description('Set the plan of every user. Users who never had a subscription show it.')
    .argument('<plan>', 'ID of a plan, or none.')
    .action((id: string) => withDatabase(({ database }) => setDefault(database, id)))
  group
    .command('remove <plan>')
    .description('Remove a plan that has no prices.')
    .action((id: string) =>
      withPlan(id, async (database, { prices }) => {
        if (prices.length > 0)
          throw new Fault(`The plan ${id} still has prices. Unmap them first: muster plans unmap ${prices.join(' ')}`)
        await removePlan(database, id)
        print(`Removed the plan ${id}.`)
      }),
    )
}

const createExample = `
Example:
  muster plans create pro --name Pro
  muster plans map pro price_1MoBy5LkdIwHu7ixZhnattbh price_1NpXq2LkdIwHu7ixY0aQb0Tz
  muster plans grant pro reports:export`

function addRank(group: Command): void {
  group
    .command('rank <plan>')
    .description(
      'Set the rank of a plan. If a user has several subscriptions in force, user data show the one whose plan has the highest rank.',
    )
    .argument('<rank>', `A whole number from 0 to ${planRankMax}. A new plan has the highest rank.`)
    .action((id: string, text: string) => {
      const rank = requireRank(text)
      return withPlan(id, async (database) => {
        await rankPlan(database, { id, rank })
        print(`The plan ${id} now has the rank ${rank}.`)
      })
    })
}

function addPrices(group: Command): void {
  group
    .command('map <plan>')
    .description('Map prices of the payment processor to a plan. Their subscriptions get the plan immediately.')
    .argument('<price...>', 'IDs of prices.')
    .action((id: string, priceIds: string[]) =>
      withPlan(id, async (database) => {
        await mapPrices(database, { planId: id, priceIds })
        print(`Mapped to ${id}: ${priceIds.join(', ')}`)
      }),
    )
  group
    .command('unmap')
    .description('Unmap prices from their plan. Their subscriptions lose the permissions of the plan.')
    .argument('<price...>', 'IDs of prices.')
    .action((priceIds: string[]) =>
      withDatabase(async ({ database }) => {
        const unmapped = await unmapPrices(database, { priceIds })
        print(unmapped.length === 0 ? 'None of these prices was mapped to a plan.' : `Unmapped: ${unmapped.join(', ')}`)
      }),
    )
  const unmapped = group.command('unmapped').description('List the prices of subscriptions that have no plan.')
  printsRows(unmapped, unmappedColumns, listUnmappedPrices, 'Every price of a subscription has a plan.')
}

function addGrants(group: Command): void {
  addChange(group, 'grant', 'Grant permissions to everyone with a plan.', true)
  addChange(group, 'revoke', 'Revoke permissions from a plan.', false)
}

function addChange(group: Command, name: string, description: string, isGranted: boolean): void {
  group
    .command(`${name} <plan>`)
    .description(description)
    .argument('<permission...>', 'Permissions as resource:action, such as reports:export.')
    .action((id: string, texts: string[]) =>
      withConfig(async (context) => {
        await requirePlan(context.database, id)
        await changePermissions(context, { kind: 'plan', id }, texts, isGranted)
      }),
    )
}

async function list(rows: Rows, asJson: boolean): Promise<void> {
  for (const plan of await listPlans(rows)) {
    if (asJson) {
      printJson(plan)
      continue
    }
    print(`${styled('bold', plan.id)}  ${plan.name}${plan.is_default ? '  (default)' : ''}`)
    print(`  rank           ${plan.rank}`)
    print(`  prices         ${plan.prices.join(', ') || '–'}`)
    print(`  permissions    ${plan.grants.join(', ') || '–'}`)
    print(`  subscriptions  ${plan.subscriptions}`)
  }
}

const unmappedColumns: readonly Column<UnmappedPrice>[] = [
  { title: 'PRICE', of: ({ price_id }) => price_id },
  { title: 'SUBSCRIPTIONS', of: ({ subscriptions }) => String(subscriptions) },
  { title: 'PRODUCT', of: ({ product_name }) => product_name ?? '' },
]

async function setDefault(database: Database, id: string): Promise<void> {
  const before = (await listPlans(database)).find((plan) => plan.is_default)
  if (id === 'none') {
    if (before) await savePlan(database, { id: before.id, isDefault: false })
    return print('Users without a subscription now have no plan.')
  }
  await requirePlan(database, id)
  await savePlan(database, { id, isDefault: true })
  print(`Users without a subscription now have the plan ${id}.`)
}

function requireRank(text: string): number {
  if (/^\d{1,7}$/.test(text) && Number(text) <= planRankMax) return Number(text)
  throw new Fault(`The rank must be a whole number from 0 to ${planRankMax}.`)
}

/** Runs `work` for a plan that must exist. */
function withPlan(id: string, work: (database: Database, plan: Plan) => Promise<void>): Promise<void> {
  return withDatabase(async ({ database }) => work(database, await requirePlan(database, id)))
}

async function findPlan(rows: Rows, id: string): Promise<Plan | undefined> {
  return (await listPlans(rows)).find((plan) => plan.id === id)
}

async function requirePlan(rows: Rows, id: string): Promise<Plan> {
  const plan = await findPlan(rows, id)
  if (!plan) throw new Fault(`There is no plan ${id}. List all plans: muster plans list`)
  return plan
}
