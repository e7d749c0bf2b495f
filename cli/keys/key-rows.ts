import { isUtf8 } from 'node:buffer'
import { parse } from 'csv-parse/sync'
import type { KeyChecks, KeyType, ProviderInfo } from '../../key-check/index.ts'
import { Secret } from '../../src/platform/secret.ts'
import { Fault } from '../errors.ts'
import { infoOf, partNamesOf } from './credential.ts'

/** A valid line of a file of keys. */
export interface KeyRow {
  readonly line: number
  readonly label: string
  readonly provider: string
  readonly keyType: KeyType
  readonly email: string | undefined
  /** From the columns of parts. */
  readonly parts: Readonly<Record<string, Secret>>
  readonly apiKey: Secret
}

/** A malformed line. The reason never quotes the line, because a misplaced field may be a key. */
export interface MalformedRow {
  readonly line: number
  readonly label: string
  readonly reason: string
}

/** For empty fields. */
interface RowDefaults {
  readonly provider: string
  readonly keyType?: KeyType | undefined
  readonly email?: string | undefined
}

type Catalogue = Pick<KeyChecks, 'providers' | 'providerId'>

const columnNames = ['key', 'provider', 'key_type', 'email', 'label'] as const

const lineBytesMax = 16_384
const labelCharactersMax = 200
const keyCharactersMax = 4_096

/**
 * Reads CSV (RFC 4180) with a header line. Parses each line separately, so that a malformed line does not affect the others; fields cannot
 * contain line breaks. Throws a `Fault` if the header is malformed.
 */
export function readKeyRows(bytes: Buffer, catalogue: Catalogue, defaults: RowDefaults): (KeyRow | MalformedRow)[] {
  const rows: (KeyRow | MalformedRow)[] = []
  const known = [...columnNames, ...partNamesOf(catalogue.providers())]
  let columns: readonly string[] | undefined
  let line = 0
  for (const lineBytes of linesOf(bytes)) {
    line += 1
    const read = readLine(lineBytes)
    if (read.fields?.every((field) => field === '')) continue
    if (!columns) columns = readColumns(read.fields, known)
    else if (!read.fields) rows.push({ line, label: '', reason: read.reason })
    else rows.push({ line, ...readRow(read.fields, columns, catalogue, defaults) })
  }
  if (!columns) throw new Fault('The file is empty. Its first line must name the columns.')
  return rows
}

/** Splits at LF or CRLF and removes a byte order mark. */
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
    // The message of the parser quotes the line.
    return { reason: 'The line is not CSV (RFC 4180). Check its quotes.' }
  }
}

/** Errors name the number of a column and do not quote it, because a file without a header starts with a key. */
function readColumns(fields: readonly string[] | undefined, known: readonly string[]): readonly string[] {
  const names = fields?.map((field) => known.find((name) => name.toLowerCase() === field.toLowerCase()))
  const unknown = names?.indexOf(undefined) ?? 0
  if (!names || unknown !== -1)
    throw new Fault(
      `Column ${unknown + 1} of the first line has an unknown name. Columns: ${columnNames.join(', ')} and parts of a credential.`,
    )
  const columns = names.filter((name) => name !== undefined)
  if (new Set(columns).size < columns.length) throw new Fault('The first line names a column twice.')
  if (!columns.includes('key')) throw new Fault('The first line has no column key.')
  return columns
}

type Read = Omit<KeyRow, 'line'> | Omit<MalformedRow, 'line'>

function readRow(
  fields: readonly string[],
  columns: readonly string[],
  catalogue: Catalogue,
  defaults: RowDefaults,
): Read {
  if (fields.length !== columns.length)
    return { label: '', reason: 'The line has more or fewer fields than the first line.' }
  const given = (name: string) => fields[columns.indexOf(name)] || undefined
  const key = given('key')
  const parts = partsOf(columns, given)
  const others = Object.values(parts).map((part) => part.open())
  // A short part, such as a region, may appear in a label by coincidence.
  const label = labelOf(given('label'), [
    ...(key === undefined ? [] : [key]),
    ...others.filter(({ length }) => length > 6),
  ])
  if (key === undefined) return { label, reason: 'The key is missing.' }
  if (key.length > keyCharactersMax) return { label, reason: 'The key is longer than 4,096 characters.' }
  const provider = given('provider') ?? defaults.provider
  const info = infoOf(catalogue, provider)
  // The check itself reports an unsupported provider.
  if (!info) return { label, provider, ...unsupported, apiKey: new Secret('') }
  const keyType = readKeyType(given('key_type') ?? defaults.keyType, info)
  if ('reason' in keyType) return { label, ...keyType }
  const email = given('email') ?? defaults.email
  return { label, provider: info.id, ...keyType, email, parts, apiKey: new Secret(key) }
}

const unsupported = { keyType: 'api_token', email: undefined, parts: {} } as const

/** Non-empty fields of the columns for parts. */
function partsOf(columns: readonly string[], given: (name: string) => string | undefined): Record<string, Secret> {
  const fixed: readonly string[] = columnNames
  const filled = columns.flatMap((name) => {
    const value = fixed.includes(name) ? undefined : given(name)
    return value === undefined ? [] : [[name, new Secret(value)] as const]
  })
  return Object.fromEntries(filled)
}

/** Drops a label that contains a secret or is a piece of a secret: labels appear in the report. */
function labelOf(label: string | undefined, secrets: readonly string[]): string {
  if (label === undefined || secrets.some((secret) => label.includes(secret) || isPart(label, secret))) return ''
  return label.slice(0, labelCharactersMax)
}

/** Up to four characters, which users take to tell keys apart, do not help to guess a key. */
function isPart(label: string, key: string): boolean {
  return label.length > 4 && key.includes(label)
}

function readKeyType(named: string | undefined, info: ProviderInfo): { keyType: KeyType } | { reason: string } {
  const names = info.keyTypes.map(({ keyType }) => keyType)
  const keyType = names.find((name) => name === named)
  if (keyType) return { keyType }
  const choice = names.join(' or ')
  if (named !== undefined) return { reason: `key_type must be one that ${info.title} supports: ${choice}.` }
  const [only, ...others] = names
  if (only && others.length === 0) return { keyType: only }
  return { reason: `${info.title} has several types of keys. Set key_type to ${choice}.` }
}
