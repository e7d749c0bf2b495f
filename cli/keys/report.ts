import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises'
import { Fault } from '../fault.ts'
import type { RowResult } from './check-rows.ts'

/** A file that appears when it is complete, readable by its owner alone. */
export interface Report {
  write(results: readonly RowResult[]): Promise<void>
  /** Removes the draft where nothing was written. */
  discard(): Promise<void>
}

/** Opened before the first check, so that a report that cannot be written costs no call. */
export async function openReport(path: string, mayReplace: boolean): Promise<Report> {
  const format = formatOf(path)
  if (!mayReplace && (await isThere(path))) throw new Fault(`${path} is there already: add --yes to replace it.`)
  const draft = `${path}.unfinished`
  const file = await openDraft(draft, path)
  return {
    async write(results) {
      const inOrder = [...results].sort((one, other) => one.line - other.line)
      await file.writeFile(format(inOrder))
      await file.sync()
      await file.close()
      await (mayReplace ? rename(draft, path) : putInPlace(draft, path))
    },
    async discard() {
      await file.close()
      await rm(draft, { force: true })
    },
  }
}

type Format = (results: readonly RowResult[]) => string

function formatOf(path: string): Format {
  if (/\.csv$/i.test(path)) return csvOf
  if (/\.json$/i.test(path)) return jsonOf
  throw new Fault('The name of the report must end with .csv or .json.')
}

/** A draft of an earlier run is removed first: opening it would keep its owner and its mode. */
async function openDraft(draft: string, path: string): Promise<FileHandle> {
  await rm(draft, { force: true })
  return open(draft, 'wx', 0o600).catch(() => {
    throw new Fault(`${path} cannot be written: name another place with --report.`)
  })
}

/** A link, unlike a rename, fails where a file of that name has appeared meanwhile. */
async function putInPlace(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path)
    await rm(draft)
  } catch {
    if (await isThere(path)) throw new Fault(`${path} appeared meanwhile, so the report is in ${draft}.`)
    // A file system without links.
    await rename(draft, path)
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

const columns = ['line', 'label', 'provider', 'key_type', 'outcome', 'code', 'message', 'expires_on']

/** RFC 4180, every field quoted. */
function csvOf(results: readonly RowResult[]): string {
  const rows = results.map(({ line, label, provider, keyType, outcome, code, message, expiresOn = '' }) => [
    String(line),
    label,
    provider,
    keyType,
    outcome,
    code,
    message,
    expiresOn,
  ])
  return [columns, ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('')
}

/** Spreadsheets run what begins like a formula: an apostrophe before it makes it text, as in the listing (`csv_field`). */
function csvField(value: string): string {
  const text = /^[=+@\t\r\n＝＋－＠-]/.test(value) ? `'${value}` : value
  return `"${text.replaceAll('"', '""')}"`
}

/** A list with one object a line. Empty members are omitted. */
function jsonOf(results: readonly RowResult[]): string {
  return results.length === 0 ? '[]\n' : `[\n${results.map(jsonRow).join(',\n')}\n]\n`
}

function jsonRow(result: RowResult): string {
  return JSON.stringify(result, (_, value) => (value === '' ? undefined : value))
}
