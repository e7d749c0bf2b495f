import type { Command } from 'commander'
import { type AccountRow, streamAccounts } from '../../src/users/accounts.ts'
import { setUserDisabledAsOperator } from '../../src/users/operator-actions.ts'
import type { CreateOptions } from '../create-user.ts'
import { findAccount } from '../find-account.ts'
import { print } from '../print.ts'
import { type Column, printRows } from '../table.ts'
import { type CommandContext, withDatabase } from '../with-database.ts'

export function users(program: Command): void {
  const group = program.command('users').description('Create, list, disable and enable users.')
  addCreate(group)
  group
    .command('list')
    .description('List all users, oldest first: a table on a terminal, otherwise one JSON object per line.')
    .option('--json', 'One JSON object per line, on a terminal too.')
    .addHelpText('after', listExamples)
    .action(({ json }: { json?: true }) => withDatabase((context) => list(context, json)))
  group
    .command('disable')
    .description('Disable a user: from now on none of their tokens is accepted, and their sessions end.')
    .argument('<user>', 'E-mail address or id.')
    .action((who: string) => withDatabase((context) => disable(context, who, true)))
  group
    .command('enable')
    .description('Enable a user again. Sessions that have ended stay ended.')
    .argument('<user>', 'E-mail address or id.')
    .action((who: string) => withDatabase((context) => disable(context, who, false)))
}

function addCreate(group: Command): void {
  group
    .command('create')
    .description(
      'Create an account that signs in with a password. The command prompts for the password, or reads it from standard input.',
    )
    .requiredOption('-e, --email <address>', 'E-mail address.')
    .option('-r, --role <role>', 'Role of the account.', 'user')
    .option(
      '-g, --generate-password',
      'Generate a random password and print it once. The first sign-in has to change it.',
    )
    .option('--json', 'Print the account as JSON.')
    .addHelpText('after', createExamples)
    .action(async (options: CreateOptions) => {
      // Loaded here, because it takes as long to load as all the rest.
      const { createUser } = await import('../create-user.ts')
      await createUser(options)
    })
}

const createExamples = `
Examples:
  muster users create --email ada@example.com
  muster users create --email grace@example.com --role admin --generate-password
  muster users create --email ada@example.com < password.txt`

const listExamples = `
Examples:
  muster users list
  muster users list --json | jq -r 'select(.status == "disabled").email'`

const columns: readonly Column<AccountRow>[] = [
  { title: 'E-MAIL', of: ({ email }) => email ?? '', widthMin: 32 },
  { title: 'PROVED', of: ({ emailProved }) => (emailProved ? 'yes' : 'no') },
  { title: 'ROLE', of: ({ role }) => role, widthMin: 6 },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'CREATED', of: ({ createdAt }) => createdAt.slice(0, 10) },
  { title: 'ORGANISATIONS', of: ({ orgs }) => orgs.map(({ name }) => name).join(', '), widthMin: 13 },
  { title: 'ID', of: ({ id }) => id, isOptional: true },
]

async function list({ database }: CommandContext, json: true | undefined): Promise<void> {
  await printRows(streamAccounts(database), columns, json)
}

async function disable(context: CommandContext, who: string, disabled: boolean): Promise<void> {
  const { id } = await findAccount(context.database, who)
  const changed = await setUserDisabledAsOperator(context, { id, disabled })
  print(`${who} ${changed ? 'is now' : 'was already'} ${disabled ? 'disabled' : 'enabled'}.`)
}
