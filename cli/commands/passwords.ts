import type { Command } from 'commander'
import type { Rows } from '../../src/platform/database/database.ts'
import { countStoredHashes, type StoredHashes } from '../../src/sign-in/passwords/stored-hashes.ts'
import { type Column, printRows } from '../table.ts'
import { withDatabase } from '../with-database.ts'

/** What the operator should know of stored passwords. */
export function passwords(program: Command): void {
  const group = program.command('passwords').description('See how the stored passwords are hashed.')
  group
    .command('report')
    .description('Count the accounts by the scheme and cost of their password hash.')
    .option('--json', 'One JSON object per line, on a terminal too.')
    .addHelpText('after', example)
    .action(({ json }: { json?: true }) => withDatabase(({ database }) => printRows(batchOf(database), columns, json)))
}

const example = `
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
