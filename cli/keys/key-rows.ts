import { parse } from 'csv-parse/sync'
import type { KeyChecks, KeyType, ProviderInfo } from '../../key-check/index.ts'
import { type FaultyLine, type HeaderFault, keyFileColumns, readKeyFile } from '../../key-check/key-file.ts'
import { Secret } from '../../src/platform/secret.ts'
import { Fault } from '../errors.ts'
import { infoOf } from './credential.ts'

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

/** Throws a `Fault` if the header is malformed. */
export function readKeyRows(
  bytes: Buffer,
  catalogue: Pick<KeyChecks, 'providers' | 'providerId'>,
  defaults: RowDefaults,
): (KeyRow | MalformedRow)[] {
  const findProvider = (name: string) => infoOf(catalogue, name)
  const lines = readKeyFile(bytes, { parse, providers: catalogue.providers(), findProvider, defaults })
  if ('fault' in lines) throw new Fault(headerText(lines))
  return lines.map((line) => {
    if ('fault' in line) return faultyRow(line)
    const parts = Object.entries(line.parts).map(([name, value]) => [name, new Secret(value)])
    return { ...line, provider: line.provider.id, parts: Object.fromEntries(parts), apiKey: new Secret(line.apiKey) }
  })
}

function headerText(header: HeaderFault): string {
  if (header.fault === 'columnUnknown')
    return `Column ${header.column} of the first line has an unknown name. Columns: ${keyFileColumns.join(', ')} and parts of a credential.`
  return headerTexts[header.fault]
}

const headerTexts = {
  empty: 'The file is empty. Its first line must name the columns.',
  columnTwice: 'The first line names a column twice.',
  columnKeyMissing: 'The first line has no column key.',
} as const

function faultyRow(faulty: FaultyLine<ProviderInfo>): KeyRow | MalformedRow {
  const { line, label } = faulty
  // The check itself reports an unsupported provider.
  if (faulty.fault === 'providerUnknown')
    return { line, label, provider: faulty.provider, ...unsupported, apiKey: new Secret('') }
  if (faulty.fault !== 'keyTypeUnknown' && faulty.fault !== 'keyTypeMissing')
    return { line, label, reason: lineTexts[faulty.fault] }
  const { title, keyTypes } = faulty.provider
  const choice = keyTypes.map(({ keyType }) => keyType).join(' or ')
  return {
    line,
    label,
    reason:
      faulty.fault === 'keyTypeUnknown'
        ? `key_type must be one that ${title} supports: ${choice}.`
        : `${title} has several types of keys. Set key_type to ${choice}.`,
  }
}

const unsupported = { keyType: 'api_token', email: undefined, parts: {} } as const

const lineTexts = {
  tooLong: 'The line is too long.',
  notUtf8: 'The line is not UTF-8.',
  notCsv: 'The line is not CSV (RFC 4180). Check its quotes.',
  fieldCount: 'The line has more or fewer fields than the first line.',
  keyMissing: 'The key is missing.',
  keyTooLong: 'The key is longer than 4,096 characters.',
} as const
