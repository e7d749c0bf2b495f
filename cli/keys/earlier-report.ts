import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { parseBoundedJson } from '../../src/platform/json-text.ts'
import { Fault } from '../fault.ts'
import type { RowResult } from './check-rows.ts'
import type { KeyRow, MalformedRow } from './key-rows.ts'

export interface ResumeOptions {
  /** The report of an earlier run. */
  readonly resume?: string
  readonly only?: 'undetermined'
}

export interface Remaining {
  readonly rows: readonly (KeyRow | MalformedRow)[]
  /** What the earlier report says of the other lines. */
  readonly carried: readonly RowResult[]
}

/** The lines of the file that have no verdict yet; with `only`, those alone that the report names. */
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

/** A verdict must not pass to another key: the report holds nothing of the key, but what stands beside it has to agree. */
function refuseOtherLine(row: KeyRow | MalformedRow, { line, label, outcome, provider, keyType }: RowResult): void {
  const isSameLabel = label === row.label || label === `'${row.label}`
  const isJudged = outcome !== 'undetermined'
  const isSameKind = 'reason' in row ? !isJudged : !isJudged || (provider === row.provider && keyType === row.keyType)
  if (!isSameLabel || !isSameKind) throw otherFile(line)
}

function otherFile(line: number): Fault {
  return new Fault(`Line ${line} of the report is not line ${line} of the file: resume with the same file and options.`)
}

async function readEarlier(path: string): Promise<readonly RowResult[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Fault(`There is no report ${path} that can be read.`)
  })
  const results = rowsOf(text, path)?.map(resultOf)
  const known = results?.filter((result) => result !== undefined)
  if (!results || known?.length !== results.length) throw new Fault(`${path} is no report of this command.`)
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

/** undefined where it is no row of a report. */
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
