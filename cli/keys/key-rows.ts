import { isUtf8 } from 'node:buffer'
import { parse } from 'csv-parse/sync'
import type { KeyType } from '../../src/key-checks/engine/provider.ts'
import type { ProviderInfo } from '../../src/key-checks/providers-contract.ts'
import { Secret } from '../../src/platform/secret.ts'
import { Fault } from '../fault.ts'

/** A line of the file that can be asked about. */
export interface KeyRow {
  readonly line: number
  readonly label: string
  readonly provider: string
  readonly keyType: KeyType
  readonly email: string | undefined
  readonly apiKey: Secret
}

/** A line that cannot, and why. The reason never quotes the line: whatever stands where it should not may be a key. */
export interface MalformedRow {
  readonly line: number
  readonly label: string
  readonly reason: string
}

/** What holds for rows that do not say. */
export interface RowDefaults {
  readonly provider: string
  readonly keyType?: KeyType | undefined
  readonly email?: string | undefined
}

const columnNames = ['key', 'provider', 'key_type', 'email', 'label'] as const
type ColumnName = (typeof columnNames)[number]

const lineBytesMax = 16_384
const labelCharactersMax = 200
const keyCharactersMax = 4_096

/**
 * The rows of a CSV text (RFC 4180, with a line of names). Every line is read for itself, so that one that is broken costs no
 * other; a field can therefore hold no line break. Throws a `Fault` where the line of names is not one.
 */
export function readKeyRows(
  bytes: Buffer,
  catalogue: readonly ProviderInfo[],
  defaults: RowDefaults,
): (KeyRow | MalformedRow)[] {
  const byId = new Map(catalogue.map((info) => [info.id, info]))
  const rows: (KeyRow | MalformedRow)[] = []
  let columns: readonly ColumnName[] | undefined
  let line = 0
  for (const lineBytes of linesOf(bytes)) {
    line += 1
    const read = readLine(lineBytes)
    if (read.fields?.every((field) => field === '')) continue
    if (!columns) columns = readColumns(read.fields)
    else if (!read.fields) rows.push({ line, label: '', reason: read.reason })
    else rows.push({ line, ...readRow(read.fields, columns, byId, defaults) })
  }
  if (!columns) throw new Fault('The file is empty: its first line has to name the columns.')
  return rows
}

/** Up to each line feed, a carriage return before it left out, a byte order mark at the beginning too. */
function* linesOf(bytes: Buffer): Generator<Buffer> {
  let from = bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
  while (from < bytes.length) {
    const feed = bytes.indexOf(0x0a, from)
    const end = feed === -1 ? bytes.length : feed
    yield bytes.subarray(from, bytes[end - 1] === 0x0d ? Math.max(from, end - 1) : end)
    from = end + 1
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

type Line = { readonly fields: readonly string[] } | { readonly fields?: never; readonly reason: string }

function readLine(bytes: Buffer): Line {
  if (bytes.length > lineBytesMax) return { reason: 'The line is too long.' }
  if (!isUtf8(bytes)) return { reason: 'The line is not UTF-8.' }
  try {
    const [fields = []] = parse(bytes, { record_delimiter: '\n', relax_column_count: true })
    return { fields: fields.map((field) => field.trim()) }
  } catch {
    // The parser's own words quote the line.
    return { reason: 'The line is not CSV (RFC 4180): look at its quotes.' }
  }
}

/** A file without a line of names begins with a key, so what is wrong is told by its place and not quoted. */
function readColumns(fields: readonly string[] | undefined): readonly ColumnName[] {
  const names = fields?.map((field) => columnNames.find((name) => name === field.toLowerCase()))
  const unknown = names?.indexOf(undefined) ?? 0
  if (!names || unknown !== -1)
    throw new Fault(`Column ${unknown + 1} of the first line is none of ${columnNames.join(', ')}.`)
  const columns = names.filter((name) => name !== undefined)
  if (new Set(columns).size < columns.length) throw new Fault('The first line names a column twice.')
  if (!columns.includes('key')) throw new Fault('The first line names no column key.')
  return columns
}

type Read = Omit<KeyRow, 'line'> | Omit<MalformedRow, 'line'>

function readRow(
  fields: readonly string[],
  columns: readonly ColumnName[],
  byId: ReadonlyMap<string, ProviderInfo>,
  defaults: RowDefaults,
): Read {
  if (fields.length !== columns.length)
    return { label: '', reason: 'The line has another number of fields than the first.' }
  const given = (name: ColumnName) => fields[columns.indexOf(name)] || undefined
  const key = given('key')
  const label = labelOf(given('label'), key)
  if (key === undefined) return { label, reason: 'The key is missing.' }
  if (key.length > keyCharactersMax) return { label, reason: 'The key is longer than 4,096 characters.' }
  const info = byId.get(given('provider') ?? defaults.provider)
  // The room knows why some providers are not supported; it is asked, so that there is one answer to that.
  if (!info) return { label, provider: given('provider') ?? defaults.provider, ...unsupported, apiKey: new Secret('') }
  const keyType = readKeyType(given('key_type') ?? defaults.keyType, info)
  if ('reason' in keyType) return { label, ...keyType }
  return { label, provider: info.id, ...keyType, email: given('email') ?? defaults.email, apiKey: new Secret(key) }
}

const unsupported = { keyType: 'api_token', email: undefined } as const

/** A label is told in the report; one that holds the key or is a part of it is not. */
function labelOf(label: string | undefined, key: string | undefined): string {
  if (label === undefined || (key !== undefined && (label.includes(key) || isPart(label, key)))) return ''
  return label.slice(0, labelCharactersMax)
}

/** Four characters, by which people tell keys apart, are no part that helps anybody. */
function isPart(label: string, key: string): boolean {
  return label.length > 4 && key.includes(label)
}

function readKeyType(named: string | undefined, info: ProviderInfo): { keyType: KeyType } | { reason: string } {
  const names = info.keyTypes.map(({ keyType }) => keyType)
  const keyType = names.find((name) => name === named)
  if (keyType) return { keyType }
  const choice = names.join(' or ')
  if (named !== undefined) return { reason: `The key_type is not what ${info.title} takes: ${choice}.` }
  const [only, ...others] = names
  if (only && others.length === 0) return { keyType: only }
  return { reason: `${info.title} takes several kinds of keys: say which in key_type, ${choice}.` }
}
