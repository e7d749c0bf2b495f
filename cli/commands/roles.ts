import type { Command } from 'commander'
import { createRole, holderExists, removeRole, setAccountRole, setRoleMfa } from '../../src/identity/grants.ts'
import { Fault } from '../fault.ts'
import { findAccountToTrust, unprovedOption } from '../find-account.ts'
import { print } from '../print.ts'
import { requireRole } from '../require-role.ts'
import { type CommandContext, withDatabase } from '../with-database.ts'

/** Roles, and which user has which. `grants` changes what a role grants. */
export function roles(program: Command): void {
  const group = program
    .command('roles')
    .description('Create, remove and assign roles. List them with muster grants list.')
  group
    .command('create')
    .description('Create a role for accounts, or for members of organizations. It grants nothing yet.')
    .argument('<role>', 'Its permanent id: lower-case letters, digits, _ and -.')
    .option('-n, --name <name>', 'Its name; the id by default.')
    .option('--for-members', 'For members of organizations. Without it, the role is for accounts.')
    .addHelpText('after', createExample)
    .action((id: string, options: { name?: string; forMembers?: true }) =>
      withDatabase((context) => create(context, id, options)),
    )
  group
    .command('remove')
    .description('Remove an unused role.')
    .argument('<role>')
    .action((id: string) => withDatabase((context) => remove(context, id)))
  group
    .command('require-mfa')
    .description('What a role grants counts only in sessions with a second factor, from the next call on.')
    .argument('<role>')
    .option('--off', 'No longer.')
    .addHelpText('after', requireMfaText)
    .action((id: string, { off = false }: { off?: boolean }) =>
      withDatabase((context) => requireMfa(context, id, !off)),
    )
  program.commands
    .find((command) => command.name() === 'users')
    ?.command('set-role')
    .description('Change the role of a user, from their next call on.')
    .argument('<user>', 'E-mail address or id.')
    .argument('<role>')
    .option(...unprovedOption)
    .action((who: string, role: string, options: { unproved?: true }) =>
      withDatabase((context) => setRole(context, { who, role }, options)),
    )
}

const createExample = `
Example:
  muster roles create support --name 'Support'
  muster grants add role support users:list users:read
  muster users set-role grace@example.com support
  muster roles create editor --for-members
  muster grants add role editor dns:edit
  muster orgs set-role 'Analytical Engines' grace@example.com editor`

const requireMfaText = `
Users without a second factor keep everything else, and can set one up. Those of other issuers need the member
stepUp in the entry of their issuer: docs/issuers.md. A token of muster token has no second factor.

Example:
  muster roles require-mfa admin`

async function requireMfa({ database }: CommandContext, id: string, isRequired: boolean): Promise<void> {
  if (!(await holderExists(database, { kind: 'role', id })))
    throw new Fault(`There is no role ${id}: list them with muster grants list.`)
  if (!(await setRoleMfa(database, id, isRequired))) return print('Nothing to change.')
  print(
    isRequired
      ? `The role ${id} requires a second factor now.`
      : `The role ${id} does not require a second factor now.`,
  )
}

async function create(
  { database }: CommandContext,
  id: string,
  { name = id, forMembers = false }: { name?: string; forMembers?: boolean },
): Promise<void> {
  if (!/^[a-z][a-z0-9_-]{0,62}$/.test(id))
    throw new Fault(
      `${id} cannot be the id of a role: use lower-case letters, digits, _ and -, beginning with a letter.`,
    )
  if (name.trim() === '' || name.length > 200) throw new Fault('The name of a role has 1 to 200 characters.')
  if (!(await createRole(database, { id, name, forMembers }))) throw new Fault(`There is already a role ${id}.`)
  print(`Created the role ${id}. Grant it permissions: muster grants add role ${id} <permission…>`)
}

async function remove({ database }: CommandContext, id: string): Promise<void> {
  const outcome = await removeRole(database, id)
  if (outcome === 'unknown') throw new Fault(`There is no role ${id}: list them with muster grants list.`)
  if (outcome === 'held')
    throw new Fault(`The role ${id} is in use: an account, a member or an invitation has it. Nothing was changed.`)
  print(`Removed the role ${id}.`)
}

async function setRole(
  context: CommandContext,
  { who, role }: { who: string; role: string },
  options: { unproved?: true },
): Promise<void> {
  const { id } = await findAccountToTrust(context.database, who, options)
  await requireRole(context.database, 'account', role)
  const before = await setAccountRole(context, id, role)
  print(
    before === role ? `${who} already has the role ${role}.` : `${who} now has the role ${role} instead of ${before}.`,
  )
}
