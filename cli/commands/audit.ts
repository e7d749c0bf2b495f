import type { Command } from 'commander'
import { serviceKeyPrefix } from '../../src/identity/service-key.ts'
import { type RecordedEvent, readAuditLog } from '../../src/platform/audit/audit-log.ts'
import type { Rows } from '../../src/platform/database/database.ts'
import { findAccounts } from '../../src/users/accounts.ts'
import { Fault } from '../errors.ts'
import { findAccount } from '../find-account.ts'
import { jsonLinesOption, readTime } from '../options.ts'
import { type Column, printRows } from '../table.ts'
import { type CommandContext, withDatabase } from '../with-database.ts'

interface AuditOptions {
  readonly since?: string
  readonly action?: string
  readonly actor?: string
  readonly json?: true
}

export function audit(command: Command): void {
  command
    .description('Show the audit log, newest first. docs/audit.md lists the actions.')
    .option('--since <when>', 'Start at this time, such as 2026-01-31T09:00Z, or this long ago: 90m, 24h, 7d.')
    .option(
      '--action <action>',
      'Only this action, such as account.disabled, or this group of actions, such as session.',
    )
    .option('--actor <who>', 'Only actions of this user (email or ID) or service key (name, ID or the key itself).')
    .option(...jsonLinesOption)
    .addHelpText('after', examples)
    .action((options: AuditOptions) => {
      const since = options.since === undefined ? undefined : readTime(options.since)
      return withDatabase((context) => list(context, since, options))
    })
}

const examples = `
Examples:
  muster audit --since 24h --action session
  muster audit --actor ada@example.com
  muster audit --actor nightly-export
  muster audit --json | jq -r 'select(.action == "account.disabled") | .target.id'`

const columns: readonly Column<RecordedEvent>[] = [
  { title: 'AT', of: ({ at }) => `${at.slice(0, 10)} ${at.slice(11, 19)}` },
  { title: 'ACTION', of: ({ action }) => action },
  {
    title: 'BY',
    of: ({ actorEmail, actorName, actorId, operator }) =>
      actorEmail ?? actorName ?? actorId ?? (operator ? `operator ${operator}` : '–'),
    widthMin: 12,
  },
  { title: 'TARGET', of: ({ target }) => (target ? `${target.kind} ${target.id}` : ''), widthMin: 12 },
  { title: 'FROM', of: ({ address }) => address ?? '', isOptional: true },
  { title: 'DETAILS', of: ({ details }) => detailsOf(details), widthMin: 10, isOptional: true },
]

function detailsOf(details: RecordedEvent['details']): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : value}`)
    .join(' ')
}

async function list({ database }: CommandContext, since: Date | undefined, options: AuditOptions): Promise<void> {
  const { action, actor, json } = options
  const actorIds = actor === undefined ? undefined : await findActors(database, actor)
  await printRows(texts(readAuditLog(database, { since: since?.toISOString(), action, actorIds })), columns, json)
}

/** Returns several IDs for a service key that was rotated: each rotation creates an ID. */
async function findActors(rows: Rows, who: string): Promise<readonly string[]> {
  if ((await findAccounts(rows, who)).length > 0) return [(await findAccount(rows, who)).id]
  // Loaded here, because few calls search for a service key.
  const { findActingServiceKeys } = await import('../../src/service-keys/service-keys.ts')
  const keys = await findActingServiceKeys(rows, who)
  if (keys.length > 0) return keys.map(({ id }) => id)
  // Text that looks like a key may be one, so no message quotes it.
  throw new Fault(
    who.startsWith(serviceKeyPrefix) ? 'No service key matches.' : `No user or service key matches ${who}.`,
  )
}

async function* texts(events: AsyncIterable<RecordedEvent>): AsyncGenerator<string[]> {
  let batch: string[] = []
  for await (const event of events) {
    batch.push(JSON.stringify(event))
    if (batch.length < 200) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
