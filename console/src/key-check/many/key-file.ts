import { parse } from 'csv-parse/browser/esm/sync'
import { csvOf, type FaultyLine, type HeaderFault, readKeyFile as readLines } from '../../../../key-check/key-file.ts'
import type { KeyCheck, Provider } from '../credential.ts'

/** A line of the file that can be checked. */
export interface KeyRow {
  readonly line: number
  readonly label: string
  readonly check: KeyCheck & { readonly provider: string }
}

/** A line that cannot be checked, and why. */
export interface MalformedRow {
  readonly line: number
  readonly label: string
  readonly reason: LineFault
}

export type LineFault = FaultyLine<Provider>['fault']
export type FileFault = HeaderFault['fault'] | 'tooLarge'

type KeyFile =
  | { readonly fault?: never; readonly rows: readonly KeyRow[]; readonly malformed: readonly MalformedRow[] }
  /** `column` is a number from 1 on. */
  | { readonly fault: FileFault; readonly column?: number }

export const fileBytesMax = 8 * 2 ** 20

/** The rows of a CSV file, as `muster keys check --file` reads them. */
export function readKeyFile(bytes: Uint8Array, providers: readonly Provider[], defaultProvider: string): KeyFile {
  if (bytes.length > fileBytesMax) return { fault: 'tooLarge' }
  const findProvider = (name: string) => providers.find(({ id }) => id === name)
  const lines = readLines(bytes, { parse, providers, findProvider, defaults: { provider: defaultProvider } })
  if ('fault' in lines) return lines
  const rows: KeyRow[] = []
  const malformed: MalformedRow[] = []
  for (const one of lines) {
    const { line, label } = one
    if ('fault' in one) malformed.push({ line, label, reason: one.fault })
    else {
      const { provider, keyType, apiKey, email, parts } = one
      const more = { ...(email !== undefined && { email }), ...(Object.keys(parts).length > 0 && { parts }) }
      rows.push({ line, label, check: { provider: provider.id, keyType, apiKey, ...more } })
    }
  }
  return { rows, malformed }
}

const batchKeysMax = 100
/** The service takes 4 MiB. */
const batchCharactersMax = 1_000_000

/** The rows in their order, in pieces that one request holds. */
export function* batchesOf(rows: readonly KeyRow[]): Generator<readonly KeyRow[]> {
  let batch: KeyRow[] = []
  let characters = 0
  for (const row of rows) {
    const { length } = JSON.stringify(row.check)
    if (batch.length > 0 && (batch.length === batchKeysMax || characters + length > batchCharactersMax)) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(row)
    characters += length
  }
  if (batch.length > 0) yield batch
}

/** The whole lines of each piece that arrives. */
export async function* wholeLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const reader = stream.getReader()
  let rest = ''
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const lines = (rest + decoder.decode(read.value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) yield lines.filter((line) => line !== '')
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
  if (rest !== '') yield [rest]
}

/** What came of one line of the file. */
export interface RowResult {
  readonly line: number
  readonly label: string
  readonly provider: string
  readonly outcome: 'valid' | 'invalid' | 'undetermined'
  readonly message: string
}

const reportColumns = ['line', 'label', 'provider', 'outcome', 'message']

/** The report as CSV (RFC 4180), in the order of the lines. It holds no key, no part of one and no e-mail address. */
export function reportOf(results: readonly RowResult[]): string {
  const rows = results
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, label, provider, outcome, message }) => [String(line), label, provider, outcome, message])
  return csvOf([reportColumns, ...rows])
}
