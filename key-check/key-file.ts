/** Files of keys: CSV (RFC 4180) with a header line. The console reads them in the browser, so this file imports nothing. */

/** `parse` of csv-parse/sync. Browsers load it from another path. */
type Parse = (text: string, options: { record_delimiter: string; relax_column_count: boolean }) => string[][]

interface Provider {
  readonly keyTypes: readonly {
    readonly keyType: string
    readonly fields: readonly { readonly name: string; readonly at: string }[]
  }[]
}

interface KeyFileOptions<Named extends Provider> {
  readonly parse: Parse
  readonly providers: readonly Named[]
  readonly findProvider: (name: string) => Named | undefined
  /** For empty fields. */
  readonly defaults: {
    readonly provider: string
    readonly keyType?: string | undefined
    readonly email?: string | undefined
  }
}

/** The key of one line. */
export interface FileKey<Named extends Provider> {
  readonly line: number
  readonly label: string
  readonly provider: Named
  readonly keyType: Named['keyTypes'][number]['keyType']
  readonly email: string | undefined
  /** Non-empty fields of the columns for parts. */
  readonly parts: Readonly<Record<string, string>>
  readonly apiKey: string
}

/** Why a line cannot be checked. Quotes nothing but the name of a provider, because a misplaced field may be a key. */
export type FaultyLine<Named extends Provider> = { readonly line: number; readonly label: string } & (
  | { readonly fault: 'tooLong' | 'notUtf8' | 'notCsv' | 'fieldCount' | 'keyMissing' | 'keyTooLong' }
  | { readonly fault: 'providerUnknown'; readonly provider: string }
  | { readonly fault: 'keyTypeUnknown' | 'keyTypeMissing'; readonly provider: Named }
)

/** What is wrong with the header line. `column` is a number from 1 on. */
export type HeaderFault =
  | { readonly fault: 'empty' | 'columnTwice' | 'columnKeyMissing' }
  | { readonly fault: 'columnUnknown'; readonly column: number }

type KeyLine<Named extends Provider> = FileKey<Named> | FaultyLine<Named>

export const keyFileColumns: readonly string[] = ['key', 'provider', 'key_type', 'email', 'label']

const lineBytesMax = 16_384
const labelCharactersMax = 200
const keyCharactersMax = 4_096

/** Parses each line separately, so that a malformed line does not affect the others. Fields cannot contain line breaks. */
export function readKeyFile<Named extends Provider>(
  bytes: Uint8Array,
  options: KeyFileOptions<Named>,
): readonly KeyLine<Named>[] | HeaderFault {
  const found: KeyLine<Named>[] = []
  let columns: readonly string[] | undefined
  let line = 0
  for (const lineBytes of linesOf(bytes)) {
    line += 1
    const read = readLine(lineBytes, options.parse)
    const fields = typeof read === 'string' ? undefined : read
    if (fields?.every((field) => field === '')) continue
    if (!columns) {
      const header = readColumns(fields, options.providers)
      if ('fault' in header) return header
      columns = header
    } else if (typeof read === 'string') found.push({ line, label: '', fault: read })
    else found.push(readRow(read, { line, columns, ...options }))
  }
  return columns ? found : { fault: 'empty' }
}

/** Splits at LF or CRLF and removes a byte order mark. */
function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  let from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  while (from < bytes.length) {
    const feed = bytes.indexOf(0x0a, from)
    const end = feed === -1 ? bytes.length : feed
    yield bytes.subarray(from, bytes[end - 1] === 0x0d ? Math.max(from, end - 1) : end)
    from = end + 1
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The fields, or what is wrong. */
function readLine(bytes: Uint8Array, parse: Parse): readonly string[] | 'tooLong' | 'notUtf8' | 'notCsv' {
  if (bytes.length > lineBytesMax) return 'tooLong'
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return 'notUtf8'
  }
  try {
    const [fields = []] = parse(text, { record_delimiter: '\n', relax_column_count: true })
    return fields.map((field) => field.trim())
  } catch {
    // The message of the parser quotes the line.
    return 'notCsv'
  }
}

/** Faults name the number of a column and do not quote it, because a file without a header starts with a key. */
function readColumns(
  fields: readonly string[] | undefined,
  providers: readonly Provider[],
): readonly string[] | HeaderFault {
  const parts = providers.flatMap(({ keyTypes }) => keyTypes.flatMap((keyType) => keyType.fields))
  const known = [...keyFileColumns, ...parts.filter(({ at }) => at.startsWith('/parts/')).map(({ name }) => name)]
  const names = fields?.map((field) => known.find((name) => name.toLowerCase() === field.toLowerCase()))
  const unknown = names?.indexOf(undefined) ?? 0
  if (!names || unknown !== -1) return { fault: 'columnUnknown', column: unknown + 1 }
  const columns = names.filter((name) => name !== undefined)
  if (new Set(columns).size < columns.length) return { fault: 'columnTwice' }
  return columns.includes('key') ? columns : { fault: 'columnKeyMissing' }
}

interface RowContext<Named extends Provider> extends KeyFileOptions<Named> {
  readonly line: number
  readonly columns: readonly string[]
}

function readRow<Named extends Provider>(
  fields: readonly string[],
  { line, columns, findProvider, defaults }: RowContext<Named>,
): KeyLine<Named> {
  if (fields.length !== columns.length) return { line, label: '', fault: 'fieldCount' }
  const given = new Map(columns.map((name, index) => [name, fields[index] || undefined]))
  const parts = columns.flatMap((name) => {
    const value = keyFileColumns.includes(name) ? undefined : given.get(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const apiKey = given.get('key')
  // A short part, such as a region, may appear in a label by coincidence.
  const secrets = [apiKey ?? '', ...parts.map(([, value]) => value).filter(({ length }) => length > 6)]
  const named = { line, label: labelOf(given.get('label') ?? '', secrets) }
  if (apiKey === undefined) return { ...named, fault: 'keyMissing' }
  if (apiKey.length > keyCharactersMax) return { ...named, fault: 'keyTooLong' }
  const providerName = given.get('provider') ?? defaults.provider
  const provider = findProvider(providerName)
  if (!provider) return { ...named, fault: 'providerUnknown', provider: providerName }
  const names = provider.keyTypes.map(({ keyType }) => keyType)
  const wanted = given.get('key_type') ?? defaults.keyType ?? (names.length === 1 ? names[0] : undefined)
  if (wanted === undefined) return { ...named, fault: 'keyTypeMissing', provider }
  const keyType = names.find((name) => name === wanted)
  if (keyType === undefined) return { ...named, fault: 'keyTypeUnknown', provider }
  const email = given.get('email') ?? defaults.email
  return { ...named, provider, keyType, email, parts: Object.fromEntries(parts), apiKey }
}

/**
 * Drops a label that contains a secret or is a piece of a secret: labels appear in reports. Up to four characters, which users take to tell
 * keys apart, do not help to guess a key.
 */
function labelOf(label: string, secrets: readonly string[]): string {
  const isUnsafe = secrets.some(
    (secret) => secret !== '' && (label.includes(secret) || (label.length > 4 && secret.includes(label))),
  )
  return isUnsafe ? '' : label.slice(0, labelCharactersMax)
}

/** CSV of a report, every field quoted. Adds an apostrophe to text that a spreadsheet would run as a formula. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('')
}

function csvField(value: string): string {
  const text = /^[=+@\t\r\n＝＋－＠-]/.test(value) ? `'${value}` : value
  return `"${text.replaceAll('"', '""')}"`
}
