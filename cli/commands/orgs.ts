import type { Command } from 'commander'
import {
  createOrganization,
  type MemberRow,
  type OrganizationRow,
  organizationNameLengthMax,
  readOrganizationDetails,
  streamMembers,
  streamOrganizations,
} from '../../src/organizations/organizations.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { Fault } from '../errors.ts'
import { findAccount, findTrustedAccount } from '../find-account.ts'
import { findOrganization } from '../find-organization.ts'
import { jsonLinesOption, requireText, unprovedOption, userArgument, wholeNumber } from '../options.ts'
import { note, print, printJson, printPairs } from '../print.ts'
import { type Column, printRows } from '../table.ts'
import { emailText, requireEmail } from '../users/names.ts'
import { type ConfiguredContext, printsRows, withConfig, withDatabase } from '../with-database.ts'

// The commands load below what the others of this file do not need.

const organization = ['<organization>', 'Name or ID.'] as const
const roleOption = ['-r, --role <role>', 'Role in the organization.', 'member'] as const

export function orgs(group: Command): void {
  group
    .command('create')
    .description('Create an organization.')
    .argument('<name>', 'Name. Several organizations can have the same name.')
    .option('--json', 'Print the organization as JSON.')
    .addHelpText('after', "\nExample:\n  muster orgs create 'Analytical Engines'")
    .action((name: string, { json }: { json?: true }) => {
      const wanted = requireName(name)
      return withDatabase(({ database }) => create(database, wanted, json === true))
    })
  const list = group
    .command('list')
    .description(
      'List all organizations, oldest first. Prints a table on a terminal, otherwise one JSON object per line.',
    )
  printsRows(list, columns, streamOrganizations)
  group
    .command('show')
    .description('Show an organization: plan, number of members, invitations and service keys, customers.')
    .argument(...organization)
    .option('--json', 'Print the organization as JSON.')
    .action((which: string, { json }: { json?: true }) =>
      withDatabase(({ database }) => show(database, which, json === true)),
    )
  group
    .command('rename')
    .description('Rename an organization.')
    .argument(...organization)
    .argument('<name>', 'The new name.')
    .action((which: string, name: string) => {
      const wanted = requireName(name)
      return withDatabase(({ database }) => rename(database, which, wanted))
    })
  group
    .command('delete')
    .description(
      'Delete an organization with its memberships, invitations and service keys. This cannot be undone. Fails if it has a subscription that has not ended.',
    )
    .argument(...organization)
    .option(
      '--ignore-subscriptions',
      'Delete although a subscription has not ended. Muster does not cancel it: the payment processor keeps charging.',
    )
    .action((which: string, options: DeleteOptions) => withDatabase(({ database }) => remove(database, which, options)))
  addInvite(group)
  addMemberCommands(group)
}

function addInvite(group: Command): void {
  group
    .command('invite')
    .description(
      'Create an invitation that makes one user a member. Without --email it is printed once; Muster stores only its hash.',
    )
    .argument(...organization)
    .option(...roleOption)
    .option(
      '--email <address>',
      'Only the user who has verified this email can accept. The invitation is mailed if the service sends mail.',
    )
    .option('--hours <hours>', 'Hours until the invitation expires, up to 720.', wholeNumber(1, 720), 168)
    .option('--json', 'Print the invitation as JSON.')
    .action((which: string, options: InviteOptions) => withConfig((context) => invite(context, which, options)))
}

function addMemberCommands(group: Command): void {
  group
    .command('members')
    .description('List the members of an organization with their roles.')
    .argument(...organization)
    .option(...jsonLinesOption)
    .action((which: string, { json }: { json?: true }) =>
      withDatabase(async ({ database }) => {
        const { id } = await findOrganization(database, which)
        await printRows(streamMembers(database, id), memberColumns, json)
      }),
    )
  group
    .command('add-member')
    .description('Add a user to an organization.')
    .argument(...organization)
    .argument(...userArgument)
    .option(...roleOption)
    .option(...unprovedOption)
    .addHelpText('after', "\nExample:\n  muster orgs add-member 'Analytical Engines' ada@example.com --role owner")
    .action((which: string, who: string, options: MemberOptions) =>
      withDatabase(({ database }) => add(database, { which, who }, options)),
    )
  group
    .command('set-role')
    .description('Change the role of a member. The last member who can manage the organization keeps their role.')
    .argument(...organization)
    .argument(...userArgument)
    .argument('<role>')
    .option(...unprovedOption)
    .action((which: string, who: string, role: string, options: { unproved?: true }) =>
      withDatabase(({ database }) => setRole(database, { which, who }, { ...options, role })),
    )
  group
    .command('remove-member')
    .description('Remove a member. The last member who can manage the organization cannot be removed.')
    .argument(...organization)
    .argument(...userArgument)
    .action((which: string, who: string) => withDatabase(({ database }) => endMembership(database, { which, who })))
}

const columns: readonly Column<OrganizationRow>[] = [
  { title: 'NAME', of: ({ name }) => name, widthMin: 12 },
  { title: 'MEMBERS', of: ({ members }) => String(members) },
  { title: 'CREATED', of: ({ createdAt }) => createdAt.slice(0, 10) },
  { title: 'ID', of: ({ id }) => id, isOptional: true },
]

const memberColumns: readonly Column<MemberRow>[] = [
  { title: 'EMAIL', of: ({ email }) => email ?? '', widthMin: 32 },
  { title: 'ROLE', of: ({ role }) => role },
  { title: 'JOINED', of: ({ joinedAt }) => joinedAt.slice(0, 10) },
  { title: 'ID', of: ({ id }) => id, isOptional: true },
]

const requireName = (name: string) => requireText(name, 'The name of an organization', organizationNameLengthMax)

async function create(database: Database, name: string, asJson: boolean): Promise<void> {
  const created = { id: await createOrganization(database, name), name }
  if (asJson) printJson(created)
  else printPairs(Object.entries(created))
}

async function show(database: Database, which: string, asJson: boolean): Promise<void> {
  const { id } = await findOrganization(database, which)
  const details = await readOrganizationDetails(database, id)
  if (!details) throw new Fault(`The organization ${which} was just deleted.`)
  if (asJson) return printJson(details)
  printPairs([
    ['id', details.id],
    ['name', details.name],
    ['created', details.createdAt],
    ['plan', details.plan ?? 'none'],
    ['second factor', details.requiresMfa ? 'required' : 'not required'],
    ['members', String(details.members)],
    ['invitations', String(details.invitations)],
    ['service keys', String(details.serviceKeys)],
    ['customers', details.customers.map((one) => `${one.id} (${one.processor})`).join(', ') || 'none'],
  ])
}

async function rename(database: Database, which: string, name: string): Promise<void> {
  const { renameOrganization } = await import('../../src/organizations/organization.ts')
  const found = await findOrganization(database, which)
  await renameOrganization(database, byOperator(found.id), name)
  print(`${found.name} is now called ${name}.`)
}

interface DeleteOptions {
  readonly ignoreSubscriptions?: true
}

async function remove(database: Database, which: string, options: DeleteOptions): Promise<void> {
  const { deleteOrganization } = await import('../../src/organizations/organization.ts')
  const { id, name } = await findOrganization(database, which)
  const customers = (await readOrganizationDetails(database, id))?.customers ?? []
  await deleteOrganization(database, byOperator(id), { ignoreSubscriptions: options.ignoreSubscriptions === true })
  print(`Deleted ${name}.`)
  for (const customer of customers) note(`The customer ${customer.id} still exists at ${customer.processor}.`)
}

const byOperator = (organizationId: string) => ({ organizationId, by: 'operator' }) as const

/** An organization by name or ID, and a user by email or ID. */
interface Membership {
  readonly which: string
  readonly who: string
}

interface MemberOptions {
  readonly role: string
  readonly unproved?: true
}

async function add(database: Database, { which, who }: Membership, options: MemberOptions): Promise<void> {
  const { requireRole } = await import('../permissions.ts')
  const { addMember } = await import('../../src/organizations/members.ts')
  const { role } = options
  const { id: organizationId, name } = await findOrganization(database, which)
  const account = await findTrustedAccount(database, who, options)
  await requireRole(database, 'member', role)
  if (!(await addMember(database, { organizationId, accountId: account.id, roleId: role })))
    throw new Fault(`${who} is already a member of ${name}. Nothing was changed.`)
  print(`${who} is now a member of ${name} with the role ${role}.`)
}

async function setRole(database: Database, { which, who }: Membership, options: MemberOptions): Promise<void> {
  const { requireRole } = await import('../permissions.ts')
  const { changeMemberRole } = await import('../../src/organizations/members.ts')
  const { role } = options
  const { id, name } = await findOrganization(database, which)
  const account = await findTrustedAccount(database, who, options)
  await requireRole(database, 'member', role)
  await changeMemberRole(database, byOperator(id), { accountId: account.id, roleId: role })
  print(`${who} now has the role ${role} in ${name}.`)
}

async function endMembership(database: Database, { which, who }: Membership): Promise<void> {
  const { removeMember } = await import('../../src/organizations/members.ts')
  const { id, name } = await findOrganization(database, which)
  const account = await findAccount(database, who)
  await removeMember(database, byOperator(id), account.id)
  print(`${who} is no longer a member of ${name}.`)
}

interface InviteOptions {
  readonly role: string
  readonly hours: number
  readonly email?: string
  readonly json?: true
}

async function invite(
  { database, config }: ConfiguredContext,
  which: string,
  { role, hours, email: typed, json }: InviteOptions,
): Promise<void> {
  const { createInvitation } = await import('../../src/organizations/invitations.ts')
  const { requireRole } = await import('../permissions.ts')
  const { outboxOf } = await import('../users/outbox.ts')
  const email = typed === undefined ? undefined : requireEmail(typed)
  const { id, name } = await findOrganization(database, which)
  await requireRole(database, 'member', role)
  const outbox = email === undefined ? undefined : outboxOf(config)
  const mailer = outbox && { outbox, linkUrl: config.issuer.linkUrl }
  const created = await createInvitation(database, byOperator(id), {
    roleId: role,
    expiresInHours: hours,
    email,
    mailer,
  })
  if (json) return printJson(created)
  const { token, mailedAt, expiresAt } = created
  if (token !== undefined) {
    print(token)
    note(
      `The user who sends this token to POST /api/v1/orgs/accept-invitation before ${expiresAt} joins ${name} with the role ${role}.`,
    )
  } else if (email !== undefined) {
    print(`Invited ${emailText(email)} to ${name} with the role ${role}, until ${expiresAt}.`)
    if (mailedAt === undefined) note('No mail was sent. The user sees the invitation after signing in.')
  }
}
