import { parse } from 'csv-parse/browser/esm/sync'
import type { KeyCheck, KeyType, Provider } from '../credential.ts'

/** A line of the file that can be checked. */
export interface KeyRow {
  readonly line: number
  readonly label: string
  readonly check: KeyCheck & { readonly provider: string }
}

/** A line that cannot, and why. Nothing of the line is quoted: a misplaced field may be a key. */
export interface MalformedRow {
  readonly line: number
  readonly label: string
  readonly reason: LineFault
}

export type LineFault =
  | 'tooLong'
  | 'notUtf8'
  | 'notCsv'
  | 'fieldCount'
  | 'keyMissing'
  | 'keyTooLong'
  | 'providerUnknown'
  | 'keyTypeUnknown'
  | 'keyTypeMissing'

export type FileFault = 'empty' | 'tooLarge' | 'columnUnknown' | 'columnTwice' | 'columnKeyMissing'

type KeyFile =
  | { readonly fault?: never; readonly rows: readonly KeyRow[]; readonly malformed: readonly MalformedRow[] }
  /** `column` is a number from 1 on. */
  | { readonly fault: FileFault; readonly column?: number }

const columnNames = ['key', 'provider', 'key_type', 'email', 'label'] as const
const fixedNames: readonly string[] = columnNames

export const fileBytesMax = 8 * 2 ** 20
const lineBytesMax = 16_384
const labelCharactersMax = 200
const keyCharactersMax = 4_096

/**
 * The rows of a CSV file (RFC 4180, with a header line) as `muster keys check --file` reads them. Each line is parsed on its own, so that
 * a malformed one does not affect the others; a field can therefore hold no line break.
 */
export function readKeyFile(bytes: Uint8Array, providers: readonly Provider[], defaultProvider: string): KeyFile {
  if (bytes.length > fileBytesMax) return { fault: 'tooLarge' }
  const lines = linesOf(bytes).map((lineBytes, index) => ({ line: index + 1, ...readLine(lineBytes) }))
  const [header, ...others] = lines.filter(({ fields }) => !fields?.every((field) => field === ''))
  if (!header) return { fault: 'empty' }
  const columns = readColumns(header.fields, partNamesOf(providers))
  if ('fault' in columns) return columns
  const rows: KeyRow[] = []
  const malformed: MalformedRow[] = []
  for (const { line, fields, reason } of others) {
    const read = fields
      ? readRow(fields, { columns: columns.names, providers, defaultProvider })
      : { label: '', reason }
    if ('check' in read) rows.push({ line, ...read })
    else malformed.push({ line, ...read })
  }
  return { rows, malformed }
}

/** Split at line feeds, without carriage returns before them and without a byte order mark at the beginning. */
function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  let from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  while (from < bytes.length) {
    const feed = bytes.indexOf(0x0a, from)
    const end = feed === -1 ? bytes.length : feed
    lines.push(bytes.subarray(from, bytes[end - 1] === 0x0d ? Math.max(from, end - 1) : end))
    from = end + 1
  }
  return lines
}

type Line =
  | { readonly fields: readonly string[]; readonly reason?: never }
  | { readonly fields?: never; readonly reason: LineFault }

function readLine(bytes: Uint8Array): Line {
  if (bytes.length > lineBytesMax) return { reason: 'tooLong' }
  const text = textOf(bytes)
  if (text === undefined) return { reason: 'notUtf8' }
  try {
    const [fields = []] = parse(text, { record_delimiter: '\n', relax_column_count: true })
    return { fields: fields.map((field) => field.trim()) }
  } catch {
    // The parser's own message quotes the line.
    return { reason: 'notCsv' }
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function partNamesOf(providers: readonly Provider[]): readonly string[] {
  const fields = providers.flatMap(({ keyTypes }) => keyTypes.flatMap((keyType) => keyType.fields))
  return fields.filter(({ at }) => at.startsWith('/parts/')).map(({ name }) => name)
}

type Columns = { readonly names: readonly string[] } | { readonly fault: FileFault; readonly column?: number }

function readColumns(fields: readonly string[] | undefined, partNames: readonly string[]): Columns {
  const known = [...columnNames, ...partNames]
  const names = fields?.map((field) => known.find((name) => name.toLowerCase() === field.toLowerCase()))
  const unknown = names?.indexOf(undefined) ?? 0
  if (!names || unknown !== -1) return { fault: 'columnUnknown', column: unknown + 1 }
  const columns = names.filter((name) => name !== undefined)
  if (new Set(columns).size < columns.length) return { fault: 'columnTwice' }
  return columns.includes('key') ? { names: columns } : { fault: 'columnKeyMissing' }
}

interface RowContext {
  readonly columns: readonly string[]
  readonly providers: readonly Provider[]
  readonly defaultProvider: string
}

function readRow(
  fields: readonly string[],
  { columns, providers, defaultProvider }: RowContext,
): Omit<KeyRow, 'line'> | Omit<MalformedRow, 'line'> {
  if (fields.length !== columns.length) return { label: '', reason: 'fieldCount' }
  const given = new Map(columns.flatMap((name, index) => (fields[index] ? [[name, fields[index]] as const] : [])))
  const parts = [...given].filter(([name]) => !fixedNames.includes(name))
  const key = given.get('key')
  // A part of a few characters, such as the name of a partition, may well be in a label.
  const others = parts.map(([, value]) => value).filter(({ length }) => length > 6)
  const label = labelOf(given.get('label'), key === undefined ? others : [key, ...others])
  if (key === undefined) return { label, reason: 'keyMissing' }
  if (key.length > keyCharactersMax) return { label, reason: 'keyTooLong' }
  const provider = providers.find(({ id }) => id === (given.get('provider') ?? defaultProvider))
  if (!provider) return { label, reason: 'providerUnknown' }
  const keyType = readKeyType(given.get('key_type'), provider)
  if (typeof keyType === 'string') return { label, reason: keyType }
  const email = given.get('email')
  const check = {
    provider: provider.id,
    keyType: keyType.keyType,
    apiKey: key,
    ...(email !== undefined && { email }),
    ...(parts.length > 0 && { parts: Object.fromEntries(parts) }),
  }
  return { label, check }
}

function readKeyType(named: string | undefined, { keyTypes }: Provider): KeyType | LineFault {
  if (named !== undefined) return keyTypes.find(({ keyType }) => keyType === named) ?? 'keyTypeUnknown'
  const [only, ...others] = keyTypes
  return only && others.length === 0 ? only : 'keyTypeMissing'
}

/** A label stands in the report, unless it holds a part of the credential or is a piece of one. */
function labelOf(label: string | undefined, secrets: readonly string[]): string {
  if (label === undefined || secrets.some((secret) => label.includes(secret) || isPart(label, secret))) return ''
  return label.slice(0, labelCharactersMax)
}

/** Four characters, by which users tell keys apart, do not help to guess a key. */
function isPart(label: string, key: string): boolean {
  return label.length > 4 && key.includes(label)
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
  return [reportColumns, ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('')
}

/** Spreadsheets run what begins like a formula: an apostrophe before it makes it text. */
function csvField(value: string): string {
  const text = /^[=+@\t\r\n＝＋－＠-]/.test(value) ? `'${value}` : value
  return `"${text.replaceAll('"', '""')}"`
}
