import { type Command, InvalidArgumentError } from 'commander'
import {
  countOldHashes,
  countStoredHashes,
  expireOldHashes,
  type StoredHashes,
} from '../../src/sign-in/passwords/stored-hashes.ts'
import { wholeNumber } from '../options.ts'
import { print } from '../print.ts'
import type { Column } from '../table.ts'
import { printsRows, withDatabase } from '../with-database.ts'

export function passwords(group: Command): void {
  const report = group.command('report').description('Count users by the scheme and cost of their password hash.')
  printsRows(report.addHelpText('after', reportExample), columns, countStoredHashes)
  addExpire(group)
  addBuildList(group)
}

const reportExample = `
Imported hashes are replaced at the next sign-in. Until all are replaced, failed sign-ins take as long as the slowest hash.

Example:
  muster passwords report`

const columns: readonly Column<StoredHashes>[] = [
  { title: 'SCHEME AND COST', of: ({ cost }) => cost || 'unknown' },
  { title: 'USERS', of: ({ accounts }) => String(accounts) },
  { title: 'NOTE', of: ({ isCurrent }) => (isCurrent ? '' : 'replaced at the next sign-in'), isOptional: true },
]

interface ExpireOptions {
  readonly scheme: string
  readonly olderThan: number
  readonly dryRun?: true
}

function addExpire(group: Command): void {
  group
    .command('expire')
    .description(
      'Remove old password hashes. Their users choose a new password by account recovery and stay signed in until then. Hashes with the current scheme and cost stay.',
    )
    .requiredOption(
      '--scheme <scheme>',
      'Scheme of the hash, such as 2b or scrypt. See muster passwords report.',
      schemeOf,
    )
    .requiredOption('--older-than <days>', 'Age of the hash in days, such as 365d.', daysOf)
    .option('--dry-run', 'Count the passwords, but change nothing.')
    .addHelpText('after', expireExamples)
    .action(({ scheme, olderThan, dryRun }: ExpireOptions) =>
      withDatabase(async ({ database }) => {
        const old = { scheme, olderThanDays: olderThan }
        if (dryRun) print(`Passwords to remove: ${await countOldHashes(database, old)}.`)
        else print(`Removed passwords: ${await expireOldHashes(database, old)}.`)
      }),
    )
}

const expireExamples = `
Examples:
  muster passwords expire --scheme 2b --older-than 365d --dry-run
  muster passwords expire --scheme 2b --older-than 365d`

function schemeOf(text: string): string {
  if (/^[a-z0-9-]{1,40}$/.test(text)) return text
  throw new InvalidArgumentError('It must be the part of a hash between the first two $, such as 2b.')
}

function daysOf(text: string): number {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? []
  if (days === undefined) throw new InvalidArgumentError('It must be a number of days, such as 365d.')
  return Number(days)
}

function addBuildList(group: Command): void {
  group
    .command('build-list')
    .description(
      'Create the file for MUSTER_BREACHED_PASSWORDS. The input is a download of Pwned Passwords: lines of <SHA-1>:<count>, sorted by hash. The file has 8 bytes per password. A running service uses a new file immediately.',
    )
    .argument('<file>', 'File with the hashes.')
    .option('--min-count <number>', 'Skip passwords that occurred less often.', wholeNumber(0, 999_999_999), 10)
    .requiredOption('--out <file>', 'File to create.')
    .addHelpText('after', '\nExample:\n  muster passwords build-list pwned-passwords-sha1.txt --out breached.bin')
    .action(async (path: string, options) =>
      (await import('../passwords/build-list.ts')).buildBreachedList(path, options),
    )
}
