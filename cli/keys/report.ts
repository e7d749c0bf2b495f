import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { csvOf } from '../../key-check/key-file.ts'
import { parseBoundedJson } from '../../src/platform/json-text.ts'
import { openDraft } from '../draft-file.ts'
import { Fault } from '../errors.ts'
import type { RowResult } from './check-rows.ts'
import type { KeyRow, MalformedRow } from './key-rows.ts'

/** A file that appears when it is complete. Only its owner can read it. */
export interface Report {
  write(results: readonly RowResult[]): Promise<void>
  /** Removes the unfinished file. */
  discard(): Promise<void>
}

/** Opened before the first check, so that an unwritable report costs no call. */
export async function openReport(path: string, mayReplace: boolean): Promise<Report> {
  const format = formatOf(path)
  const { file, keep, discard } = await openDraft(path, { mayReplace })
  return {
    async write(results) {
      await file.writeFile(format([...results].sort((one, other) => one.line - other.line)))
      await keep()
    },
    discard,
  }
}

type Format = (results: readonly RowResult[]) => string

function formatOf(path: string): Format {
  if (/\.csv$/i.test(path)) return csvText
  if (/\.json$/i.test(path)) return jsonOf
  throw new Fault('The name of the report must end with .csv or .json.')
}

const columns = ['line', 'label', 'provider', 'key_type', 'outcome', 'code', 'message', 'expires_on']

function csvText(results: readonly RowResult[]): string {
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
  return csvOf([columns, ...rows])
}

/** One object per line, without empty members. */
function jsonOf(results: readonly RowResult[]): string {
  return results.length === 0 ? '[]\n' : `[\n${results.map(jsonRow).join(',\n')}\n]\n`
}

function jsonRow(result: RowResult): string {
  return JSON.stringify(result, (_, value) => (value === '' ? undefined : value))
}

export interface ResumeOptions {
  /** Report of an earlier run. */
  readonly resume?: string
  readonly only?: 'undetermined'
}

export interface Remaining {
  readonly rows: readonly (KeyRow | MalformedRow)[]
  /** Results of the other lines, from the earlier report. */
  readonly carried: readonly RowResult[]
}

/** Finds the lines without a verdict. With `only`, ignores lines that the report does not contain. */
export async function remainingRows(
  rows: readonly (KeyRow | MalformedRow)[],
  { resume, only }: ResumeOptions,
): Promise<Remaining> {
  if (resume === undefined) return { rows, carried: [] }
  const earlier = new Map((await readEarlier(resume)).map((result) => [result.line, result]))
  const carried: RowResult[] = []
  const remaining: (KeyRow | MalformedRow)[] = []
  for (const row of rows) {
    const result = earlier.get(row.line)
    earlier.delete(row.line)
    if (result) refuseOtherLine(row, result)
    if (result && result.outcome !== 'undetermined') carried.push({ ...result, label: row.label })
    else if (result || only === undefined) remaining.push(row)
  }
  const [line] = earlier.keys()
  if (line !== undefined) throw otherFile(line)
  return { rows: remaining, carried }
}

/** Prevents that a verdict is carried over to another key. The report does not contain keys, so compares everything else. */
function refuseOtherLine(row: KeyRow | MalformedRow, { line, label, outcome, provider, keyType }: RowResult): void {
  const isSameLabel = label === row.label || label === `'${row.label}`
  const hasVerdict = outcome !== 'undetermined'
  const isSameKind =
    'reason' in row ? !hasVerdict : !hasVerdict || (provider === row.provider && keyType === row.keyType)
  if (!isSameLabel || !isSameKind) throw otherFile(line)
}

function otherFile(line: number): Fault {
  return new Fault(
    `Line ${line} of the report does not match line ${line} of the file. Resume with the same file and options.`,
  )
}

async function readEarlier(path: string): Promise<readonly RowResult[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Fault(`Cannot read the report ${path}.`)
  })
  const results = rowsOf(text, path)?.map(resultOf)
  const known = results?.filter((result) => result !== undefined)
  if (!results || known?.length !== results.length) throw new Fault(`${path} is not a report of this command.`)
  return known
}

function rowsOf(text: string, path: string): readonly unknown[] | undefined {
  try {
    if (!/\.json$/i.test(path)) return parse(text, { columns: camelCased, bom: true })
    const rows: unknown = parseBoundedJson(text)
    return Array.isArray(rows) ? rows : undefined
  } catch {
    return undefined
  }
}

const camelCased = (names: readonly string[]) =>
  names.map((name) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))

/** Returns undefined if this is not a row of a report. */
function resultOf(row: unknown): RowResult | undefined {
  if (typeof row !== 'object' || row === null) return undefined
  const members = new Map<string, unknown>(Object.entries(row))
  const textOf = (name: string) => String(members.get(name) ?? '')
  const line = Number(textOf('line'))
  const outcome = outcomes.find((one) => one === members.get('outcome'))
  if (!Number.isSafeInteger(line) || line < 1 || outcome === undefined) return undefined
  const expiresOn = textOf('expiresOn')
  return {
    line,
    label: textOf('label'),
    provider: textOf('provider'),
    keyType: textOf('keyType'),
    outcome,
    code: textOf('code'),
    message: textOf('message'),
    ...(expiresOn !== '' && { expiresOn }),
  }
}

const outcomes = ['valid', 'invalid', 'undetermined'] as const
