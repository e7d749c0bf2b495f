import type { Command } from 'commander'
import { createRole, removeRole, setAccountRole } from '../../src/identity/grants.ts'
import { Fault } from '../fault.ts'
import { findAccount } from '../find-account.ts'
import { print } from '../print.ts'
import { requireRole } from '../require-role.ts'
import { type CommandContext, withDatabase } from '../with-database.ts'

/** Roles, and who has which. What a role grants is for `grants`. */
export function roles(program: Command): void {
  const group = program.command('roles').description('What people can be. muster grants list shows all roles.')
  group
    .command('create')
    .description('Make a role. It grants nothing yet.')
    .argument('<role>', 'Its id, for good: small letters, digits, _ and -.')
    .option('-n, --name <name>', 'Its name; the id where none is given.')
    .option('--for-members', 'Whoever manages an organisation may give it to members.')
    .addHelpText('after', createExample)
    .action((id: string, options: { name?: string; forMembers?: true }) =>
      withDatabase((bench) => create(bench, id, options)),
    )
  group
    .command('remove')
    .description('Remove a role that nobody has.')
    .argument('<role>')
    .action((id: string) => withDatabase((bench) => remove(bench, id)))
  program.commands
    .find((command) => command.name() === 'users')
    ?.command('set-role')
    .description('Give somebody another role. It holds at their next call.')
    .argument('<user>', 'E-mail address or id.')
    .argument('<role>')
    .action((who: string, role: string) => withDatabase((bench) => setRole(bench, who, role)))
}

const createExample = `
Example:
  muster roles create support --name 'Support'
  muster grants add role support users:list users:read
  muster users set-role grace@example.com support`

async function create(
  { database }: CommandContext,
  id: string,
  { name = id, forMembers = false }: { name?: string; forMembers?: boolean },
): Promise<void> {
  if (!/^[a-z][a-z0-9_-]{0,62}$/.test(id))
    throw new Fault(`${id} cannot be the id of a role: use small letters, digits, _ and -, beginning with a letter.`)
  if (name.trim() === '' || name.length > 200) throw new Fault('The name of a role has 1 to 200 characters.')
  if (!(await createRole(database, { id, name, forMembers }))) throw new Fault(`There is a role ${id} already.`)
  print(`The role ${id} is made. Say what it grants: muster grants add role ${id} <permission…>`)
}

async function remove({ database }: CommandContext, id: string): Promise<void> {
  const outcome = await removeRole(database, id)
  if (outcome === 'unknown') throw new Fault(`There is no role ${id}: muster grants list tells those that there are.`)
  if (outcome === 'held') throw new Fault(`Somebody has or is invited to the role ${id}, and it was left as it is.`)
  print(`The role ${id} is removed.`)
}

async function setRole({ database }: CommandContext, who: string, role: string): Promise<void> {
  const { id } = await findAccount(database, who)
  await requireRole(database, role)
  const before = await setAccountRole(database, id, role)
  print(before === role ? `${who} was ${role} already.` : `${who} is now ${role}, and was ${before}.`)
}
