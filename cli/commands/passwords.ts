import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { entryBytes, listMark } from '../../src/sign-in/passwords/breached-passwords.ts'
import {
  countOldHashes,
  countStoredHashes,
  expireOldHashes,
  type StoredHashes,
} from '../../src/sign-in/passwords/stored-hashes.ts'
import { writeDraft } from '../draft-file.ts'
import { Fault } from '../errors.ts'
import { wholeNumber } from '../options.ts'
import { print } from '../print.ts'
import { withProgress } from '../progress.ts'
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
    .addHelpText('after', buildListExample)
    .action((path: string, options: BuildListOptions) => buildBreachedList(path, options))
}

const buildListExample = `
Example:
  muster passwords build-list pwned-passwords-sha1.txt --out breached.bin`

interface BuildListOptions {
  readonly minCount: number
  readonly out: string
}

/**
 * `muster passwords build-list`: keeps the first bytes of each hash of a sorted file. Reads and writes in pieces. Replaces an older list
 * when the new one is complete.
 */
export async function buildBreachedList(path: string, { minCount, out }: BuildListOptions): Promise<void> {
  const { size } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Fault(`Cannot read ${path}: ${error.message}`)
  })
  const counts = { read: 0, written: 0 }
  await withProgress(
    ['Passwords', Math.ceil(size / mebibyte), 'MiB'],
    async ({ advance }) => {
      const pieces = piecesOf(path, { minCount, counts, onBytes: (bytes) => advance(bytes / mebibyte) })
      // The service may run as another user.
      await writeDraft(out, { mayReplace: true, mode: 0o644 }, async (file) => {
        for await (const piece of pieces) await file.write(piece)
      })
    },
    () => `Wrote ${numbers.format(counts.written)} of ${numbers.format(counts.read)} passwords to ${out}.`,
  )
}

const mebibyte = 2 ** 20
const numbers = new Intl.NumberFormat('en')

interface Reading {
  readonly minCount: number
  readonly counts: { read: number; written: number }
  readonly onBytes: (bytes: number) => void
}

async function* piecesOf(path: string, { minCount, counts, onBytes }: Reading): AsyncGenerator<Buffer> {
  yield listMark
  let last = Buffer.alloc(0)
  for await (const lines of linesOf(path, onBytes)) {
    const entries: Buffer[] = []
    for (const line of lines) {
      counts.read += 1
      const [, hash, count] = lineForm.exec(line) ?? []
      if (hash === undefined) throw new Fault(`Line ${counts.read} of ${path} does not have the form <SHA-1>:<count>.`)
      const entry = Buffer.from(hash.slice(0, entryBytes * 2), 'hex')
      if (entry.compare(last) < 0)
        throw new Fault(`Line ${counts.read} of ${path} is out of order. Sort the file by hash with LC_ALL=C sort.`)
      if (Number(count) < minCount || entry.equals(last)) continue
      entries.push(entry)
      last = entry
    }
    counts.written += entries.length
    yield Buffer.concat(entries)
  }
}

const lineForm = /^([0-9A-Fa-f]{40}):(\d{1,15})\r?$/

/** Yields the lines of each piece. Text that is longer than any valid line counts as a line, so that no file fills the memory. */
async function* linesOf(path: string, onBytes: Reading['onBytes']): AsyncGenerator<readonly string[]> {
  let rest = ''
  for await (const piece of createReadStream(path, { encoding: 'latin1', highWaterMark: 262_144 })) {
    onBytes(piece.length)
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    yield rest.length > 100 ? [...lines, rest] : lines
  }
  if (rest !== '') yield [rest]
}
