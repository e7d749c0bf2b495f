import { Argument, type Command } from 'commander'
import {
  createRole,
  type GrantsRow,
  type Holder,
  holderExists,
  removeRole,
  setRoleMfa,
  streamGrants,
} from '../../src/identity/grants.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { Fault } from '../errors.ts'
import { changePermissions, requireNewId } from '../permissions.ts'
import { print } from '../print.ts'
import type { Column } from '../table.ts'
import { printsRows, withConfig, withDatabase } from '../with-database.ts'

export function roles(group: Command): void {
  group.description('Create and remove roles. muster grants list shows them.')
  group
    .command('create')
    .description('Create a role for users, or for members of organizations. It has no permissions yet.')
    .argument('<role>', 'Permanent ID: lowercase letters, digits, _ and -.')
    .option('-n, --name <name>', 'Display name. Default: the ID.')
    .option('--for-members', 'Create a role for members of organizations instead of users.')
    .addHelpText('after', createExample)
    .action((id: string, options) => withDatabase(({ database }) => create(database, id, options)))
  group
    .command('remove <role>')
    .description('Remove an unused role.')
    .action((id: string) => withDatabase(({ database }) => remove(database, id)))
  group
    .command('require-mfa <role>')
    .description('Grant the permissions of a role only in sessions with a second factor. Applies to the next request.')
    .option('--off', 'Stop requiring a second factor.')
    .addHelpText('after', requireMfaText)
    .action((id: string, { off = false }: { off?: boolean }) =>
      withDatabase(({ database }) => requireMfa(database, id, !off)),
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
Users without a second factor keep all other permissions and can set up a second factor. For users of other issuers,
set stepUp in the entry of their issuer: docs/issuers.md. Tokens of muster token have no second factor.

Example:
  muster roles require-mfa admin`

async function create(
  database: Database,
  id: string,
  { name = id, forMembers = false }: { name?: string; forMembers?: boolean },
): Promise<void> {
  requireNewId(id, 'role')
  if (name.trim() === '' || name.length > 200) throw new Fault('The name of a role must have 1 to 200 characters.')
  if (!(await createRole(database, { id, name, forMembers }))) throw new Fault(`The role ${id} already exists.`)
  print(`Created the role ${id}. Grant it permissions: muster grants add role ${id} <permission…>`)
}

async function remove(database: Database, id: string): Promise<void> {
  const outcome = await removeRole(database, id)
  if (outcome === 'unknown') throw missing({ kind: 'role', id })
  if (outcome === 'held')
    throw new Fault(`The role ${id} is in use by a user, a member or an invitation. Nothing was changed.`)
  print(`Removed the role ${id}.`)
}

async function requireMfa(database: Database, id: string, isRequired: boolean): Promise<void> {
  const role = { kind: 'role', id } as const
  if (!(await holderExists(database, role))) throw missing(role)
  if (!(await setRoleMfa(database, id, isRequired))) return print('Nothing to change.')
  print(`The role ${id} ${isRequired ? 'now requires' : 'no longer requires'} a second factor.`)
}

function missing({ kind, id }: Holder): Fault {
  return new Fault(`There is no ${kind} ${id}. List all roles and plans: muster grants list`)
}

export function grants(group: Command): void {
  const list = group.command('list').description('List all roles and plans with their permissions.')
  printsRows(list, columns, streamGrants)
  addChange(group, 'add', 'Grant permissions to a role or plan. Applies to the next request.', true)
  addChange(group, 'remove', 'Revoke permissions from a role or plan. Applies to the next request.', false)
}

function addChange(group: Command, name: string, description: string, isGranted: boolean): void {
  group
    .command(name)
    .description(description)
    .addArgument(new Argument('<kind>', 'What gets the permissions.').choices(['role', 'plan']))
    .argument('<id>', 'ID of the role or plan.')
    .argument('<permission...>', 'Permissions as resource:action, such as users:list.')
    .addHelpText('after', changeExamples(name))
    .action((kind: Holder['kind'], id: string, texts: string[]) =>
      withConfig(async (context) => {
        if (!(await holderExists(context.database, { kind, id }))) throw missing({ kind, id })
        await changePermissions(context, { kind, id }, texts, isGranted)
      }),
    )
}

const changeExamples = (name: string) => `
Examples:
  muster grants ${name} role admin users:list users:read
  muster grants ${name} plan pro reports:export`

const columns: readonly Column<GrantsRow>[] = [
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'ID', of: ({ id }) => id },
  { title: 'GRANTS', of: (row) => row.grants.join(' '), widthMin: 24 },
  { title: 'HOLDERS', of: ({ holders }) => String(holders) },
  { title: 'NAME', of: ({ name }) => name, widthMin: 8, isOptional: true },
]
