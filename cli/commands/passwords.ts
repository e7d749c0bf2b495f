import { type Command, InvalidArgumentError } from 'commander'
import type { Rows } from '../../src/platform/database/database.ts'
import { countOldHashes, expireOldHashes } from '../../src/sign-in/passwords/expire-hashes.ts'
import { countStoredHashes, type StoredHashes } from '../../src/sign-in/passwords/stored-hashes.ts'
import { type BuildListOptions, buildBreachedList } from '../build-breached-list.ts'
import { print } from '../print.ts'
import { type Column, printRows } from '../table.ts'
import { withDatabase } from '../with-database.ts'

/** What the operator should know of stored passwords, and which new ones are refused. */
export function passwords(program: Command): void {
  const group = program.command('passwords').description('See how passwords are stored, and refuse breached ones.')
  addReport(group)
  addExpire(group)
  addBuildList(group)
}

function addReport(group: Command): void {
  group
    .command('report')
    .description('Count the accounts by the scheme and cost of their password hash.')
    .option('--json', 'One JSON object per line, on a terminal too.')
    .addHelpText('after', reportExample)
    .action(({ json }: { json?: true }) => withDatabase(({ database }) => printRows(batchOf(database), columns, json)))
}

const reportExample = `
A sign-in replaces a hash that an import brought. Until the last is replaced, refused sign-ins take as long as the slowest.

Example:
  muster passwords report`

async function* batchOf(rows: Rows): AsyncGenerator<readonly string[]> {
  yield (await countStoredHashes(rows)).map((counted) => JSON.stringify(counted))
}

const columns: readonly Column<StoredHashes>[] = [
  { title: 'scheme and cost', of: ({ cost }) => cost || 'no known form' },
  { title: 'accounts', of: ({ accounts }) => String(accounts) },
  { title: 'then', of: ({ isCurrent }) => (isCurrent ? '' : 'replaced at the next sign-in'), isOptional: true },
]

interface ExpireOptions {
  readonly scheme: string
  readonly olderThan: number
  readonly dryRun?: true
}

function addExpire(group: Command): void {
  group
    .command('expire')
    .summary('Forget passwords with old hashes.')
    .description(
      'Forget the passwords whose hash is of this scheme and older than this. Their users choose another by account recovery, and stay signed in until then. Hashes of today’s scheme and cost stay.',
    )
    .requiredOption(
      '--scheme <scheme>',
      'As a hash begins, without $: 2b, scrypt. See muster passwords report.',
      schemeOf,
    )
    .requiredOption('--older-than <days>', 'Days that no sign-in has replaced it, such as 365d.', daysOf)
    .option('--dry-run', 'Count the accounts and change nothing.')
    .addHelpText('after', expireExamples)
    .action(({ scheme, olderThan, dryRun }: ExpireOptions) =>
      withDatabase(async ({ database }) => {
        const old = { scheme, olderThanDays: olderThan }
        if (dryRun) print(`Passwords that would be forgotten: ${await countOldHashes(database, old)}.`)
        else print(`Passwords forgotten: ${await expireOldHashes(database, old)}.`)
      }),
    )
}

const expireExamples = `
Examples:
  muster passwords expire --scheme 2b --older-than 365d --dry-run
  muster passwords expire --scheme 2b --older-than 365d`

function schemeOf(text: string): string {
  if (/^[a-z0-9-]{1,40}$/.test(text)) return text
  throw new InvalidArgumentError('It is the part of a hash between the first two $, such as 2b.')
}

function daysOf(text: string): number {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? []
  if (days === undefined) throw new InvalidArgumentError('It is a number of days, such as 365d.')
  return Number(days)
}

function addBuildList(group: Command): void {
  group
    .command('build-list')
    .summary('Make the file of MUSTER_BREACHED_PASSWORDS.')
    .description(
      'Make the file of MUSTER_BREACHED_PASSWORDS from the passwords of Pwned Passwords: lines <SHA-1>:<count>, sorted by hash. Eight bytes for each password; a running service uses the new file at once.',
    )
    .argument('<file>', 'The file with the hashes.')
    .option('--min-count <number>', 'Leave out passwords that were seen less often.', countOf, 10)
    .requiredOption('--out <file>', 'The file to make.')
    .addHelpText('after', buildListExample)
    .action((path: string, options: BuildListOptions) => buildBreachedList(path, options))
}

const buildListExample = `
Example:
  muster passwords build-list pwned-passwords-sha1.txt --out breached.bin`

function countOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number of at most nine digits.')
}
