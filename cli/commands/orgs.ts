import type { Command } from 'commander'
import {
  addMember,
  createOrganization,
  findOrganizations,
  type OrganizationRow,
  organizationNameLengthMax,
  streamOrganizations,
} from '../../src/organizations/organizations.ts'
import type { Rows } from '../../src/platform/database/database.ts'
import { Fault } from '../fault.ts'
import { findAccountToTrust, unprovedOption } from '../find-account.ts'
import { print, printJson, printPairs } from '../print.ts'
import { requireRole } from '../require-role.ts'
import { type Column, printRows } from '../table.ts'
import { type CommandContext, withDatabase } from '../with-database.ts'

export function orgs(program: Command): void {
  const group = program.command('orgs').description('Organisations and their members.')
  group
    .command('create')
    .description('Create an organisation.')
    .argument('<name>', 'Its name. Names need not be unique.')
    .option('--json', 'Print the organisation as JSON.')
    .addHelpText('after', createExample)
    .action((name: string, { json }: { json?: true }) => {
      const wanted = requireName(name)
      return withDatabase((context) => create(context, wanted, json === true))
    })
  group
    .command('list')
    .description('List all organisations, oldest first: a table on a terminal, otherwise one JSON object per line.')
    .option('--json', 'One JSON object per line, on a terminal too.')
    .action(({ json }: { json?: true }) => withDatabase((context) => list(context, json)))
  group
    .command('add-member')
    .description('Add a user to an organisation.')
    .argument('<organisation>', 'Name or id.')
    .argument('<user>', 'E-mail address or id.')
    .option('-r, --role <role>', 'Role in the organisation.', 'member')
    .option(...unprovedOption)
    .addHelpText('after', addMemberExample)
    .action((which: string, who: string, options: AddOptions) =>
      withDatabase((context) => add(context, which, who, options)),
    )
}

const createExample = `
Example:
  muster orgs create 'Analytical Engines'`

const addMemberExample = `
Example:
  muster orgs add-member 'Analytical Engines' ada@example.com --role owner`

const columns: readonly Column<OrganizationRow>[] = [
  { title: 'NAME', of: ({ name }) => name, widthMin: 12 },
  { title: 'MEMBERS', of: ({ members }) => String(members) },
  { title: 'CREATED', of: ({ createdAt }) => createdAt.slice(0, 10) },
  { title: 'ID', of: ({ id }) => id, isOptional: true },
]

function requireName(name: string): string {
  const wanted = name.trim()
  if (wanted.length > 0 && wanted.length <= organizationNameLengthMax) return wanted
  throw new Fault(`The name of an organisation has 1 to ${organizationNameLengthMax} characters.`)
}

async function create({ database }: CommandContext, name: string, asJson: boolean): Promise<void> {
  const created = { id: await createOrganization(database, name), name }
  if (asJson) printJson(created)
  else printPairs(Object.entries(created))
}

async function list({ database }: CommandContext, json: true | undefined): Promise<void> {
  await printRows(streamOrganizations(database), columns, json)
}

interface AddOptions {
  readonly role: string
  readonly unproved?: true
}

async function add({ database }: CommandContext, which: string, who: string, options: AddOptions): Promise<void> {
  const { role } = options
  const organization = await findOrganization(database, which)
  const account = await findAccountToTrust(database, who, options)
  await requireRole(database, 'member', role)
  const added = await addMember(database, { organizationId: organization.id, accountId: account.id, roleId: role })
  if (!added) throw new Fault(`${who} is a member of ${organization.name} already, and was left as it is.`)
  print(`${who} is now a member of ${organization.name}, as ${role}.`)
}

/** The one organisation with this name or id. */
export async function findOrganization(rows: Rows, which: string): Promise<{ id: string; name: string }> {
  const [organization, ...others] = await findOrganizations(rows, which)
  if (!organization) throw new Fault(`There is no organisation with the name or id ${which}.`)
  if (others.length === 0) return organization
  const ids = [organization, ...others].map(({ id }) => id).join(', ')
  throw new Fault(`Several organisations have the name ${which}; name one by its id: ${ids}.`)
}
