import type { Command } from 'commander'
import {
  confirmCustomer,
  linkCustomer,
  listUnconfirmedCustomers,
  listWaitingCustomers,
  type Owner,
  type SubscribedCustomer,
  type UnconfirmedCustomer,
  type WaitingCustomer,
} from '../../src/billing/customers.ts'
import type { SubscriptionSource, SyncReport } from '../../src/billing/sync.ts'
import type { Config } from '../../src/config.ts'
import type { Rows } from '../../src/platform/database/database.ts'
import { Fault } from '../errors.ts'
import { findAccount } from '../find-account.ts'
import { note, print, printJson } from '../print.ts'
import { withProgress } from '../progress.ts'
import { type Column, printRows } from '../table.ts'
import { type CommandContext, type ConfiguredContext, printsRows, withConfig, withDatabase } from '../with-database.ts'

export function billing(group: Command): void {
  group
    .command('sync')
    .description('Compare all subscriptions with the payment processor, and fix and list the differences.')
    .option('--json', 'Print the report as JSON.')
    .action(({ json }: { json?: true }) => withConfig((context) => syncBilling(context, json === true)))
  const waiting = group.command('waiting').description('List customers that have a subscription but no owner.')
  printsRows(waiting, waitingColumns, listWaitingCustomers, 'Every customer with a subscription has an owner.')
  group
    .command('link')
    .description('Link a customer of the payment processor to its owner. Only another link changes the owner.')
    .argument('<customer>', 'ID, such as cus_NffrFeUfNV2Hib.')
    .option('-a, --account <user>', 'Email or ID of a user.')
    .option('-o, --org <organization>', 'ID of an organization.')
    .addHelpText('after', linkExamples)
    .action((customer: string, to: LinkOptions) =>
      withDatabase((context) =>
        setOwner(context, [customer, to], linkCustomer, `No organization has the ID ${to.org}.`),
      ),
    )
  group
    .command('confirm')
    .description(
      'Confirm that a customer belongs to the owner that the payer named (client_reference_id). Until then the owner has the plan, but cannot use checkout and portal for this customer. Without a customer: list unconfirmed customers.',
    )
    .argument('[customer]', 'ID, such as cus_NffrFeUfNV2Hib.')
    .option('-a, --account <user>', 'Owner to confirm: email or ID of a user.')
    .option('-o, --org <organization>', 'Owner to confirm: ID of an organization.')
    .option('--json', 'Print the list as one JSON object per line, even on a terminal.')
    .addHelpText('after', confirmExamples)
    .action((customer: string | undefined, to: LinkOptions & { json?: true }) =>
      withDatabase((context) =>
        customer === undefined
          ? unconfirmed(context.database, to.json)
          : setOwner(
              context,
              [customer, to],
              confirmCustomer,
              `${customer} has no unconfirmed owner, or a different one. List unconfirmed customers: muster billing confirm`,
            ),
      ),
    )
}

const confirmExamples = `
Examples:
  muster billing confirm
  muster billing confirm cus_NffrFeUfNV2Hib --account ada@example.com`

const linkExamples = `
Examples:
  muster billing link cus_NffrFeUfNV2Hib --account ada@example.com
  muster billing link cus_OtmRvC1qXvjRQn --org 0197b2a4-6d00-7cc3-98c4-dc0c0c07398f`

async function unconfirmed(rows: Rows, json: true | undefined): Promise<void> {
  const customers = await listUnconfirmedCustomers(rows)
  if (customers.length === 0) return note('There are no unconfirmed customers.')
  await printRows(customers, unconfirmedColumns, json)
}

const commonColumns: readonly Column<SubscribedCustomer>[] = [
  { title: 'CUSTOMER', of: ({ id }) => id },
  {
    title: 'SUBSCRIPTIONS',
    of: ({ subscriptions }) =>
      subscriptions.map(({ id, status, price_ids }) => [id, status, ...price_ids].join(' ')).join(', '),
    widthMin: 24,
  },
]

const waitingColumns: readonly Column<WaitingCustomer>[] = [
  ...commonColumns,
  { title: 'CLAIMED OWNER (NOT FOUND)', of: ({ claim }) => (claim ? `${claim.kind} ${claim.value}` : '') },
]

const unconfirmedColumns: readonly Column<UnconfirmedCustomer>[] = [
  ...commonColumns,
  { title: 'CLAIMED OWNER', of: ({ owner: { kind, id, name } }) => (kind === 'account' ? name : `${name} (${id})`) },
]

interface LinkOptions {
  readonly account?: string
  readonly org?: string
}

async function ownerOf(rows: Rows, { account, org }: LinkOptions): Promise<Owner> {
  if ((account === undefined) === (org === undefined)) throw new Fault('Add either --account or --org.')
  return account === undefined
    ? { organizationId: requireUuid(org ?? '') }
    : { accountId: (await findAccount(rows, account)).id }
}

/** Changes the owner of a customer, or throws `fault` if nothing matches. */
async function setOwner(
  { database }: CommandContext,
  [customerId, to]: readonly [string, LinkOptions],
  change: typeof linkCustomer,
  fault: string,
): Promise<void> {
  const owner = await ownerOf(database, to)
  if (!(await change(database, { customerId, owner, at: new Date().toISOString() }))) throw new Fault(fault)
  print(`${customerId} now belongs to ${to.account ?? to.org}.`)
}

function requireUuid(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return text
  throw new Fault(`${text} is not the ID of an organization.`)
}

async function syncBilling({ database, config, log }: ConfiguredContext, asJson: boolean): Promise<void> {
  // Loaded here: the SDKs of the processors take longer to load than all other commands together.
  const [{ Registry }, { openBilling }] = await Promise.all([
    import('@prometheus-io/client'),
    import('../../src/billing/billing.ts'),
  ])
  const options = { ...config.billing, proxies: config.outgoingProxies, registry: new Registry(), log, now: Date.now }
  const { sources = [] } = (await openBilling(database, options)) ?? {}
  if (sources.length === 0) throw new Fault(`Set ${apiKeyNames(config)}: without it Muster cannot read subscriptions.`)
  for (const source of sources) {
    const report = await syncOne(database, source)
    if (asJson) printJson(report)
    else printReport(report, source)
  }
}

function apiKeyNames({ billing: { processors } }: Config): string {
  const secrets = processors.flatMap((processor) => processor.secrets)
  return secrets.flatMap(({ kind, name }) => (kind === 'api-key' ? [name] : [])).join(' or ')
}

async function syncOne(database: CommandContext['database'], source: SubscriptionSource): Promise<SyncReport> {
  const { reconcile } = await import('../../src/billing/reconcile.ts')
  // An estimate: the processor does not tell how many subscriptions it has.
  const expected = await countSubscriptions(database, source)
  let shown = 0
  return withProgress(
    ['Comparing', expected, 'subscriptions'],
    ({ advance }) =>
      reconcile(database, source, {
        onProgress({ checked }) {
          advance(checked - shown)
          shown = checked
        },
      }),
    ({ checked, repaired, linked, unknown }) =>
      `${checked} compared, ${repaired.length} fixed, ${linked.length} customers linked, ${unknown.length} not found at ${source.title}.`,
  )
}

function printReport({ repaired, linked, unknown }: SyncReport, { title }: SubscriptionSource): void {
  for (const { id, changes } of repaired) print(`fixed     ${id}  ${changes.join('; ')}`)
  for (const id of linked) print(`linked    ${id}`)
  for (const id of unknown) print(`unknown   ${id}  not found at ${title}; unchanged`)
}

async function countSubscriptions(rows: Rows, { processor }: SubscriptionSource): Promise<number> {
  const [row] = await rows.query<{ n: number }>(countStatement, [processor])
  return row?.n ?? 0
}

const countStatement = {
  name: 'subscriptions_count',
  text: 'select count(*)::int as n from subscription s join customer c on c.id = s.customer_id where c.processor = $1',
}
