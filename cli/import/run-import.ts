import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import type { Client } from 'pg'
import { Fault } from '../fault.ts'
import { note, printPairs } from '../print.ts'
import { startProgress } from '../progress.ts'
import { withDatabase } from '../with-database.ts'
import { type ImportedAccount, type ImportFormat, type Rejected, validateRecord } from './format.ts'
import { importFormats } from './formats.ts'
import { importBatch } from './import-batch.ts'
import { readRecords } from './records.ts'

export interface ImportOptions {
  readonly from: string
  readonly issuer?: string
  readonly rejects?: string
  readonly dryRun?: true
}

/** Small enough for a steady progress bar, large enough that round trips do not matter. */
const batchRows = 5_000

/** The work of `muster import`. Sets the exit code 1 where it rejected lines. */
export async function runImport(path: string, options: ImportOptions): Promise<void> {
  const format = importFormats[options.from] ?? unknownFormat(options.from)
  const kind = kindOf(path)
  const { size } = await stat(path).catch(() => {
    throw new Fault(`There is no file ${path}.`)
  })
  const rejects = await openRejects(options.rejects ?? `${path}.rejected.jsonl`)
  try {
    const counts = await withDatabase(async ({ database }) => {
      const client = await database.connect()
      try {
        return await importAll(client, { path, kind, size, format, options, rejects })
      } finally {
        await client.end()
      }
    })
    await rejects.keep(counts.rejected)
    printPairs(Object.entries(counts).map(([name, count]) => [name, String(count)]))
    if (counts.rejected > 0) {
      note(`Rejected lines and their reasons: ${rejects.path}`)
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
  readonly rejects: Rejects
}

async function importAll(client: Client, { path, kind, size, format, options, rejects }: Work) {
  const issuer = options.issuer ?? `urn:muster:import:${options.from}`
  const { rows } = await client.query<{ id: string; for_members: boolean }>('select id, for_members from role')
  const roles = new Map(rows.map((role) => [role.id, role.for_members]))
  const counts = { read: 0, imported: 0, 'already there': 0, rejected: 0 }
  const progress = startProgress(`Importing from ${format.title}`, Math.ceil(size / 1_024), 'KiB')
  const nowMs = Date.now()

  const reject = async (rejected: readonly Rejected[]) => {
    counts.rejected += rejected.length
    await rejects.write(rejected)
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
  progress.done(options.dryRun ? 'Validated the whole file; nothing was written.' : 'Imported the whole file.')
  return counts
}

/** The rejected lines, in a file that appears when it is complete. */
interface Rejects {
  readonly path: string
  write(rejected: readonly Rejected[]): Promise<void>
  keep(count: number): Promise<void>
  discard(): Promise<void>
}

async function openRejects(path: string): Promise<Rejects> {
  const draft = `${path}.unfinished`
  const file: FileHandle = await open(draft, 'w', 0o600).catch(() => {
    throw new Fault(`Cannot write ${path}. Choose another file with --rejects.`)
  })
  return {
    path,
    async write(rejected) {
      if (rejected.length > 0) await file.write(rejected.map((one) => `${JSON.stringify(one)}\n`).join(''))
    },
    async keep(count) {
      await file.close()
      if (count > 0) await rename(draft, path)
      else await Promise.all([rm(draft, { force: true }), rm(path, { force: true })])
    },
    async discard() {
      await file.close()
      await rm(draft, { force: true })
    },
  }
}

function kindOf(path: string): 'csv' | 'jsonl' {
  if (/\.csv$/i.test(path)) return 'csv'
  if (/\.(jsonl|ndjson)$/i.test(path)) return 'jsonl'
  throw new Fault('The name of the file must end with .csv, .jsonl or .ndjson.')
}

function unknownFormat(name: string): never {
  throw new Fault(`There is no format ${name}. Choose one of ${Object.keys(importFormats).join(', ')}.`)
}
