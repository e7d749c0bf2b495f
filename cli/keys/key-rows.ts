import { isUtf8 } from 'node:buffer'
import { parse } from 'csv-parse/sync'
import type { KeyType, ProviderInfo } from '../../key-check/index.ts'
import { Secret } from '../../src/platform/secret.ts'
import { Fault } from '../fault.ts'
import { partNamesOf } from './parts.ts'

/** A line of the file that can be checked. */
export interface KeyRow {
  readonly line: number
  readonly label: string
  readonly provider: string
  readonly keyType: KeyType
  readonly email: string | undefined
  /** What the columns of parts hold. */
  readonly parts: Readonly<Record<string, Secret>>
  readonly apiKey: Secret
}

/** A line that cannot, and why. The reason never quotes the line: a misplaced field may be a key. */
export interface MalformedRow {
  readonly line: number
  readonly label: string
  readonly reason: string
}

/** For rows that leave it open. */
export interface RowDefaults {
  readonly provider: string
  readonly keyType?: KeyType | undefined
  readonly email?: string | undefined
}

const columnNames = ['key', 'provider', 'key_type', 'email', 'label'] as const

const lineBytesMax = 16_384
const labelCharactersMax = 200
const keyCharactersMax = 4_096

/**
 * The rows of a CSV text (RFC 4180, with a header line). Each line is parsed on its own, so that a malformed one does not affect
 * the others; a field can therefore hold no line break. Throws a `Fault` where the header is malformed.
 */
export function readKeyRows(
  bytes: Buffer,
  catalogue: readonly ProviderInfo[],
  defaults: RowDefaults,
): (KeyRow | MalformedRow)[] {
  const byId = new Map(catalogue.map((info) => [info.id, info]))
  const rows: (KeyRow | MalformedRow)[] = []
  const known = [...columnNames, ...partNamesOf(catalogue)]
  let columns: readonly string[] | undefined
  let line = 0
  for (const lineBytes of linesOf(bytes)) {
    line += 1
    const read = readLine(lineBytes)
    if (read.fields?.every((field) => field === '')) continue
    if (!columns) columns = readColumns(read.fields, known)
    else if (!read.fields) rows.push({ line, label: '', reason: read.reason })
    else rows.push({ line, ...readRow(read.fields, columns, byId, defaults) })
  }
  if (!columns) throw new Fault('The file is empty: its first line has to name the columns.')
  return rows
}

/** Split at line feeds, without carriage returns before them and without a byte order mark at the beginning. */
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
    // The parser's own message quotes the line.
    return { reason: 'The line is not CSV (RFC 4180): look at its quotes.' }
  }
}

/** A file without a header begins with a key, so a message names the column's number and does not quote it. */
function readColumns(fields: readonly string[] | undefined, known: readonly string[]): readonly string[] {
  const names = fields?.map((field) => known.find((name) => name.toLowerCase() === field.toLowerCase()))
  const unknown = names?.indexOf(undefined) ?? 0
  if (!names || unknown !== -1)
    throw new Fault(
      `Column ${unknown + 1} of the first line is none of ${columnNames.join(', ')} and no part of a credential.`,
    )
  const columns = names.filter((name) => name !== undefined)
  if (new Set(columns).size < columns.length) throw new Fault('The first line names a column twice.')
  if (!columns.includes('key')) throw new Fault('The first line names no column key.')
  return columns
}

type Read = Omit<KeyRow, 'line'> | Omit<MalformedRow, 'line'>

function readRow(
  fields: readonly string[],
  columns: readonly string[],
  byId: ReadonlyMap<string, ProviderInfo>,
  defaults: RowDefaults,
): Read {
  if (fields.length !== columns.length)
    return { label: '', reason: 'The line has another number of fields than the first.' }
  const given = (name: string) => fields[columns.indexOf(name)] || undefined
  const key = given('key')
  const parts = partsOf(columns, given)
  const others = Object.values(parts).map((part) => part.open())
  // A part of a few characters, such as the name of a partition, may well be in a label.
  const label = labelOf(given('label'), [
    ...(key === undefined ? [] : [key]),
    ...others.filter(({ length }) => length > 6),
  ])
  if (key === undefined) return { label, reason: 'The key is missing.' }
  if (key.length > keyCharactersMax) return { label, reason: 'The key is longer than 4,096 characters.' }
  const info = byId.get(given('provider') ?? defaults.provider)
  // The check itself says why a provider is not supported.
  if (!info) return { label, provider: given('provider') ?? defaults.provider, ...unsupported, apiKey: new Secret('') }
  const keyType = readKeyType(given('key_type') ?? defaults.keyType, info)
  if ('reason' in keyType) return { label, ...keyType }
  const email = given('email') ?? defaults.email
  return { label, provider: info.id, ...keyType, email, parts, apiKey: new Secret(key) }
}

const unsupported = { keyType: 'api_token', email: undefined, parts: {} } as const

/** The other columns than the fixed ones. An empty one is none. */
function partsOf(columns: readonly string[], given: (name: string) => string | undefined): Record<string, Secret> {
  const fixed: readonly string[] = columnNames
  const filled = columns.flatMap((name) => {
    const value = fixed.includes(name) ? undefined : given(name)
    return value === undefined ? [] : [[name, new Secret(value)] as const]
  })
  return Object.fromEntries(filled)
}

/** A label stands in the report, unless it holds a part of the credential or is a piece of one. */
function labelOf(label: string | undefined, secrets: readonly string[]): string {
  if (label === undefined || secrets.some((secret) => label.includes(secret) || isPart(label, secret))) return ''
  return label.slice(0, labelCharactersMax)
}

/** Four characters, by which people tell keys apart, do not help to guess a key. */
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
