import type { Command } from 'commander'
import { createInvitationAsOperator } from '../../src/organizations/invitations.ts'
import { changeMemberRoleAsOperator, removeMemberAsOperator } from '../../src/organizations/members.ts'
import { type MemberRow, streamMembers } from '../../src/organizations/organizations.ts'
import { Fault } from '../fault.ts'
import { findAccount, findAccountToTrust, unprovedOption } from '../find-account.ts'
import { note, print, printJson } from '../print.ts'
import { requireRole } from '../require-role.ts'
import { type Column, printRows } from '../table.ts'
import { type CommandContext, withDatabase } from '../with-database.ts'
import { findOrganization } from './orgs.ts'

const organization = ['<organisation>', 'Name or id.'] as const
const user = ['<user>', 'E-mail address or id.'] as const

/** The commands of the group `orgs` for members and invitations. */
export function orgMembers(program: Command): void {
  const group = program.commands.find((command) => command.name() === 'orgs') ?? program.command('orgs')
  group
    .command('members')
    .description('List the members of an organisation with their roles.')
    .argument(...organization)
    .option('--json', 'One JSON object per line, on a terminal too.')
    .action((which: string, { json }: { json?: true }) => withDatabase((context) => members(context, which, json)))
  group
    .command('set-role')
    .description('Change the role of a member. The last member who may manage the organisation keeps their role.')
    .argument(...organization)
    .argument(...user)
    .argument('<role>')
    .option(...unprovedOption)
    .action((which: string, who: string, role: string, options: { unproved?: true }) =>
      withDatabase((context) => setRole(context, { which, who, role }, options)),
    )
  group
    .command('remove-member')
    .description('Remove a member. The last member who may manage the organisation cannot be removed.')
    .argument(...organization)
    .argument(...user)
    .action((which: string, who: string) => withDatabase((context) => drop(context, which, who)))
  group
    .command('invite')
    .description(
      'Create an invitation: a token that makes one user a member. It is printed once; only its hash is stored.',
    )
    .argument(...organization)
    .option('-r, --role <role>', 'Role in the organisation.', 'member')
    .option('--hours <hours>', 'Hours until it expires, up to 720.', '168')
    .option('--json', 'Print the invitation as JSON.')
    .action((which: string, options: InviteOptions) => withDatabase((context) => invite(context, which, options)))
}

const columns: readonly Column<MemberRow>[] = [
  { title: 'E-MAIL', of: ({ email }) => email ?? '', widthMin: 32 },
  { title: 'ROLE', of: ({ role }) => role },
  { title: 'JOINED', of: ({ joinedAt }) => joinedAt.slice(0, 10) },
  { title: 'ID', of: ({ id }) => id, isOptional: true },
]

async function members({ database }: CommandContext, which: string, json: true | undefined): Promise<void> {
  const { id } = await findOrganization(database, which)
  await printRows(streamMembers(database, id), columns, json)
}

async function setRole(
  { database }: CommandContext,
  { which, who, role }: { which: string; who: string; role: string },
  options: { unproved?: true },
): Promise<void> {
  const { id, name } = await findOrganization(database, which)
  const account = await findAccountToTrust(database, who, options)
  await requireRole(database, 'member', role)
  await changeMemberRoleAsOperator(database, id, { accountId: account.id, roleId: role })
  print(`${who} is now ${role} in ${name}.`)
}

async function drop({ database }: CommandContext, which: string, who: string): Promise<void> {
  const { id, name } = await findOrganization(database, which)
  const account = await findAccount(database, who)
  await removeMemberAsOperator(database, id, account.id)
  print(`${who} is no longer a member of ${name}.`)
}

interface InviteOptions {
  readonly role: string
  readonly hours: string
  readonly json?: true
}

async function invite(
  { database }: CommandContext,
  which: string,
  { role, hours, json }: InviteOptions,
): Promise<void> {
  const expiresInHours = Number(hours)
  if (!/^\d{1,3}$/.test(hours) || expiresInHours < 1 || expiresInHours > 720)
    throw new Fault('--hours must be a whole number from 1 to 720.')
  const { id, name } = await findOrganization(database, which)
  await requireRole(database, 'member', role)
  const created = await createInvitationAsOperator(database, id, { roleId: role, expiresInHours })
  if (json) return printJson(created)
  print(created.token)
  note(
    `A user who sends it to POST /api/v1/orgs/accept-invitation before ${created.expiresAt} becomes ${role} of ${name}.`,
  )
}
