import { rm, stat } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import type { Client } from 'pg'
import { type DraftFile, openDraft } from '../draft-file.ts'
import { Fault } from '../errors.ts'
import {
  type ImportedAccount,
  type ImportFormat,
  importBatch,
  type Rejected,
  validateRecord,
} from '../import/accounts.ts'
import { importFormats } from '../import/formats.ts'
import { readRecords } from '../import/records.ts'
import { note, printPairs } from '../print.ts'
import { startProgress } from '../progress.ts'
import { withDatabase } from '../with-database.ts'

export function importUsers(command: Command): void {
  command
    .description(
      'Import users from the export of another product, with their IDs and the password hashes that Muster can verify. Existing users stay unchanged, so you can restart an interrupted import. See docs/administration.md.',
    )
    .argument('<file>', 'Export of the other product: .csv, .jsonl or .ndjson.')
    .addOption(
      new Option('-f, --from <product>', 'Product that made the export.')
        .choices(Object.keys(importFormats))
        .makeOptionMandatory(),
    )
    .option('-i, --issuer <issuer>', 'Issuer of the tokens that the users already have, exactly as in MUSTER_ISSUERS.')
    .option('-r, --rejects <path>', 'File for rejected lines and their reasons. Default: <file>.rejected.jsonl')
    .option('-n, --dry-run', 'Validate the file and write rejected lines, but import nothing.')
    .action(runImport)
}

interface ImportOptions {
  readonly from: string
  readonly issuer?: string
  readonly rejects?: string
  readonly dryRun?: true
}

/** Small enough for a steady progress bar, large enough that round trips do not matter. */
const batchRows = 5_000

/** Sets exit code 1 if lines were rejected. */
async function runImport(path: string, options: ImportOptions): Promise<void> {
  const format = importFormats[options.from]
  // commander has checked the name.
  if (!format) throw new TypeError(options.from)
  const kind = kindOf(path)
  const { size } = await stat(path).catch(() => {
    throw new Fault(`There is no file ${path}.`)
  })
  const rejectsPath = options.rejects ?? `${path}.rejected.jsonl`
  const rejects = await openDraft(rejectsPath, { mayReplace: true })
  try {
    const counts = await withDatabase(async ({ database }) => {
      const client = await database.connect()
      try {
        return await importAll(client, { path, kind, size, format, options, rejects })
      } finally {
        await client.end()
      }
    })
    if (counts.rejected > 0) await rejects.keep()
    else await Promise.all([rejects.discard(), rm(rejectsPath, { force: true })])
    printPairs(Object.entries(counts).map(([name, count]) => [name, String(count)]))
    if (counts.rejected > 0) {
      note(`Wrote the rejected lines and their reasons to ${rejectsPath}.`)
      process.exitCode = 1
    }
  } catch (error) {
    await rejects.discard()
    throw error
  }
}

interface Work {
  readonly path: string
  readonly kind: 'csv' | 'jsonl'
  readonly size: number
  readonly format: ImportFormat
  readonly options: ImportOptions
  readonly rejects: DraftFile
}

async function importAll(client: Client, { path, kind, size, format, options, rejects }: Work) {
  const issuer = options.issuer ?? `urn:muster:import:${options.from}`
  const { rows } = await client.query<{ id: string; for_members: boolean }>('select id, for_members from role')
  const roles = new Map(rows.map((role) => [role.id, role.for_members]))
  const counts = { read: 0, imported: 0, 'already there': 0, rejected: 0 }
  const progress = startProgress(`Importing from ${format.title}`, Math.ceil(size / 1_024), 'KiB')
  const nowMs = Date.now()

  const reject = async (rejected: readonly Rejected[]) => {
    if (rejected.length === 0) return
    counts.rejected += rejected.length
    await rejects.file.write(rejected.map((one) => `${JSON.stringify(one)}\n`).join(''))
  }
  const flush = async (batch: readonly ImportedAccount[]) => {
    if (options.dryRun || batch.length === 0) return
    const { imported, existing, rejected } = await importBatch(client, issuer, batch)
    counts.imported += imported
    counts['already there'] += existing
    await reject(rejected)
  }

  let batch: ImportedAccount[] = []
  for await (const one of readRecords(path, kind, (bytes) => progress.advance(bytes / 1_024))) {
    counts.read += 1
    const validated = 'record' in one ? validateRecord(format.read(one.record), { line: one.line, roles, nowMs }) : one
    if ('reason' in validated) await reject([validated])
    else batch.push(validated)
    if (batch.length < batchRows) continue
    await flush(batch)
    batch = []
  }
  await flush(batch)
  progress.done(options.dryRun ? 'Validated the file. Nothing was imported.' : 'Imported the file.')
  return counts
}

function kindOf(path: string): 'csv' | 'jsonl' {
  if (/\.csv$/i.test(path)) return 'csv'
  if (/\.(jsonl|ndjson)$/i.test(path)) return 'jsonl'
  throw new Fault('The name of the file must end with .csv, .jsonl or .ndjson.')
}
