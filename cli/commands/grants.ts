import { Argument, type Command } from 'commander'
import { changeGrants, type GrantsRow, type Holder, holderExists, streamGrants } from '../../src/identity/grants.ts'
import { Fault } from '../fault.ts'
import { readPermission } from '../permission.ts'
import { print } from '../print.ts'
import { type Column, printRows } from '../table.ts'
import { type CommandContext, withDatabase } from '../with-database.ts'

export function grants(program: Command): void {
  const group = program.command('grants').description('List and change the permissions that roles and plans grant.')
  group
    .command('list')
    .description('List the permissions of every role and every plan.')
    .option('--json', 'One JSON object per line, on a terminal too.')
    .action(({ json }: { json?: true }) =>
      withDatabase(({ database }) => printRows(streamGrants(database), columns, json)),
    )
  addChange(group, 'add', 'Grant permissions to everyone with a role or a plan, from their next call on.', true)
  addChange(group, 'remove', 'Revoke permissions from a role or a plan, from the next call on.', false)
}

function addChange(group: Command, name: string, description: string, isGranted: boolean): void {
  group
    .command(name)
    .description(description)
    .addArgument(new Argument('<kind>', 'Kind of the holder.').choices(['role', 'plan']))
    .argument('<id>', 'Id of the role or plan.')
    .argument('<permission...>', 'Permission as resource:action, such as users:list.')
    .addHelpText('after', examples(name))
    .action((kind: Holder['kind'], id: string, texts: string[]) =>
      withDatabase((context) => change(context, { kind, id }, texts, isGranted)),
    )
}

const examples = (name: string) => `
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

async function change(
  context: CommandContext,
  holder: Holder,
  texts: readonly string[],
  isGranted: boolean,
): Promise<void> {
  const permissions = texts.map(readPermission)
  if (!(await holderExists(context.database, holder)))
    throw new Fault(`There is no ${holder.kind} ${holder.id}: list them with muster grants list.`)
  const changed = await changeGrants(context, holder, permissions, isGranted)
  print(changed.length === 0 ? 'Nothing to change.' : `${isGranted ? 'Granted' : 'Revoked'}: ${changed.join(', ')}`)
}
