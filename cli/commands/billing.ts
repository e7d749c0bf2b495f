import type { Command } from 'commander'
import {
  confirmCustomer,
  linkCustomer,
  listUnconfirmedCustomers,
  listWaitingCustomers,
  type Owner,
  type SubscribedCustomer,
} from '../../src/billing/customers.ts'
import type { Rows } from '../../src/platform/database/database.ts'
import { Fault } from '../fault.ts'
import { findAccount } from '../find-account.ts'
import { note, print, printJson } from '../print.ts'
import { type CommandContext, withDatabase } from '../with-database.ts'

export function billing(program: Command): void {
  const group = program
    .command('billing')
    .description(
      'Reconcile subscriptions with the payment processor, and link its customers to accounts and organisations.',
    )
  group
    .command('sync')
    .description('Compare all subscriptions with the payment processor’s, repair differences and list them.')
    .option('--json', 'Print the report as JSON.')
    .action(async ({ json }: { json?: true }) => {
      // Loaded here: it takes as long to load as all other commands together.
      const { syncBilling } = await import('../sync-billing.ts')
      await withDatabase((context) => syncBilling(context, json === true))
    })
  group
    .command('waiting')
    .description('List the customers that have a subscription and no owner.')
    .option('--json', 'One JSON object a line, on a terminal too.')
    .action(({ json }: { json?: true }) =>
      withDatabase(({ database }) => waiting(database, json ?? !process.stdout.isTTY)),
    )
  group
    .command('link')
    .description('Link a customer of the payment processor to its owner. Only another link changes that.')
    .argument('<customer>', 'Its id, such as cus_NffrFeUfNV2Hib.')
    .option('-a, --account <user>', 'E-mail address or id.')
    .option('-o, --org <organisation>', 'Id of an organisation.')
    .addHelpText('after', linkExamples)
    .action((customer: string, to: LinkOptions) => withDatabase((context) => link(context, customer, to)))
  group
    .command('confirm')
    .description(
      'Confirm that a customer belongs to the owner that its payer named (client_reference_id). Until then it shows a plan, and is not used for checkout and portal. Without a customer: list those that wait for it.',
    )
    .argument('[customer]', 'Its id, such as cus_NffrFeUfNV2Hib.')
    .option('-a, --account <user>', 'The owner that is confirmed: e-mail address or id.')
    .option('-o, --org <organisation>', 'Id of the organisation that is confirmed.')
    .option('--json', 'In the list, one JSON object a line, on a terminal too.')
    .addHelpText('after', confirmExamples)
    .action((customer: string | undefined, to: LinkOptions & { json?: true }) =>
      withDatabase((context) =>
        customer === undefined
          ? unconfirmed(context.database, to.json ?? !process.stdout.isTTY)
          : confirm(context, customer, to),
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

async function waiting(rows: Rows, asJson: boolean): Promise<void> {
  const customers = await listWaitingCustomers(rows)
  if (customers.length === 0) return note('Every customer with a subscription has an owner.')
  printCustomers(customers, asJson, ({ claim }) =>
    claim === null ? '' : `claimed for ${claim.kind} ${claim.value}, which does not exist`,
  )
}

async function unconfirmed(rows: Rows, asJson: boolean): Promise<void> {
  const customers = await listUnconfirmedCustomers(rows)
  if (customers.length === 0) return note('No customer waits to be confirmed.')
  printCustomers(customers, asJson, ({ owner: { kind, id, name } }) =>
    kind === 'account' ? `named for account ${name}` : `named for organization ${name} (${id})`,
  )
}

/** Each with its subscriptions, and what there is to say of it. */
function printCustomers<T extends SubscribedCustomer>(
  customers: readonly T[],
  asJson: boolean,
  remark: (customer: T) => string,
): void {
  for (const customer of customers) {
    if (asJson) {
      printJson(customer)
      continue
    }
    print(`${customer.id}  ${remark(customer)}`.trimEnd())
    for (const { id, status, price_id } of customer.subscriptions) print(`  ${id}  ${status}  ${price_id}`)
  }
}

interface LinkOptions {
  readonly account?: string
  readonly org?: string
}

async function ownerOf(rows: Rows, { account, org }: LinkOptions): Promise<Owner> {
  if ((account === undefined) === (org === undefined)) throw new Fault('Give either --account or --org.')
  return account === undefined
    ? { organizationId: requireUuid(org ?? '') }
    : { accountId: (await findAccount(rows, account)).id }
}

async function confirm({ database }: CommandContext, customerId: string, to: LinkOptions): Promise<void> {
  const owner = await ownerOf(database, to)
  if (!(await confirmCustomer(database, { customerId, owner, at: new Date().toISOString() })))
    throw new Fault(`${customerId} has no owner to confirm, or another one: list them with muster billing confirm.`)
  print(`${customerId} belongs to ${to.account ?? to.org} now.`)
}

async function link({ database }: CommandContext, customerId: string, to: LinkOptions): Promise<void> {
  const owner = await ownerOf(database, to)
  if (!(await linkCustomer(database, { customerId, owner, at: new Date().toISOString() })))
    throw new Fault(`There is no organisation with the id ${to.org}.`)
  print(`${customerId} belongs to ${to.account ?? to.org} now.`)
}

function requireUuid(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return text
  throw new Fault(`${text} is not the id of an organisation.`)
}
