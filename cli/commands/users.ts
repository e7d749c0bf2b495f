import type { Command } from 'commander'
import { type PersonRow, setDisabled, streamPeople } from '../../src/accounts/people.ts'
import type { CreateOptions } from '../create-user.ts'
import { findOne } from '../find-one.ts'
import { print, printPieces } from '../print.ts'
import { type Column, tableOf } from '../table.ts'
import { type Bench, withDatabase } from '../with-database.ts'

export function users(program: Command): void {
  const group = program.command('users').description('Who the users are.')
  addCreate(group)
  group
    .command('list')
    .description('List all users, oldest first: a table on a terminal, otherwise one JSON object a line.')
    .option('--json', 'One JSON object a line, on a terminal too.')
    .addHelpText('after', listExamples)
    .action((options: { json?: true }) => withDatabase((bench) => list(bench, options.json ?? !process.stdout.isTTY)))
  group
    .command('disable')
    .description('Lock somebody out, at once and everywhere: no token of theirs is accepted any more.')
    .argument('<user>', 'E-mail address or id.')
    .action((who: string) => withDatabase((bench) => disable(bench, who, true)))
  group
    .command('enable')
    .description('Let somebody in again.')
    .argument('<user>', 'E-mail address or id.')
    .action((who: string) => withDatabase((bench) => disable(bench, who, false)))
}

function addCreate(group: Command): void {
  group
    .command('create')
    .description(
      'Make an account that signs in here with a password. The password is asked for, or read from standard input.',
    )
    .requiredOption('-e, --email <address>', 'E-mail address.')
    .option('-r, --role <role>', 'Role of the account.', 'user')
    .option('-g, --generate-password', 'Make a random password and print it, this once.')
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

const columns: readonly Column<PersonRow>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'E-MAIL', of: ({ email }) => email ?? '', shrinks: true },
  { title: 'ROLE', of: ({ role }) => role, shrinks: true },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'CREATED', of: ({ createdAt }) => createdAt.slice(0, 10) },
  { title: 'ORGANISATIONS', of: ({ orgs }) => orgs.map(({ name }) => name).join(', '), shrinks: true },
]

async function list({ database }: Bench, asJson: boolean): Promise<void> {
  const batches = streamPeople(database)
  await printPieces(asJson ? linesOf(batches) : tableOf(parsed(batches), columns))
}

async function* linesOf(batches: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  for await (const batch of batches) yield `${batch.join('\n')}\n`
}

async function* parsed(batches: AsyncIterable<readonly string[]>): AsyncGenerator<PersonRow[]> {
  for await (const batch of batches) yield batch.map((text) => JSON.parse(text))
}

async function disable({ database }: Bench, who: string, disabled: boolean): Promise<void> {
  const { id } = await findOne(database, who)
  const changed = await setDisabled(database, id, disabled)
  print(`${who} ${changed ? 'is now' : 'was already'} ${disabled ? 'disabled' : 'enabled'}.`)
}
