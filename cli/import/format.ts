import { emailPattern, emailRules } from '../../src/platform/http/formats.ts'
import { isVerifiableHash } from '../../src/sign-in/passwords/imported-hashes.ts'

/** One person as another product tells of them. Absent is what it does not tell. */
export interface ForeignAccount {
  /** The id there. */
  readonly id: string | undefined
  readonly email?: string | undefined
  /** A time that `Date` reads, or milliseconds since 1970. */
  readonly createdAt?: string | number | undefined
  readonly isDisabled?: boolean
  readonly role?: string | undefined
  /** In the form of docs/import.md, or as it is where its kind is not known here. */
  readonly passwordHash?: string | undefined
}

/** A record of a file: names and values, where nothing is known of either. */
export type RawRecord = Readonly<Record<string, unknown>>

/** How one product's export is read. */
export interface ImportFormat {
  readonly title: string
  readonly read: (record: RawRecord) => ForeignAccount
}

/** A person who fits our tables. */
export interface ImportedAccount {
  readonly line: number
  readonly subject: string
  readonly email: string | null
  readonly createdAtMs: number
  readonly isDisabled: boolean
  readonly role: string
  readonly passwordHash: string | null
}

export interface Rejected {
  readonly line: number
  readonly reason: string
}

/** What is wrong with a person is told whole, for whoever corrects the file. */
export function validateRecord(
  foreign: ForeignAccount,
  { line, roles, nowMs }: { line: number; roles: ReadonlySet<string>; nowMs: number },
): ImportedAccount | Rejected {
  const { id, email, createdAt, isDisabled = false, role = 'user', passwordHash } = foreign
  const createdAtMs = createdAt === undefined ? nowMs : new Date(createdAt).getTime()
  const faults = [
    ...(id === undefined || id === '' || id.length > 255 ? ['it has no id of 1 to 255 characters'] : []),
    ...(email !== undefined && !isAddress(email)
      ? [`${JSON.stringify(email.slice(0, 100))} is no e-mail address`]
      : []),
    ...(createdAtMs >= 0 && createdAtMs <= nowMs + 86_400_000 ? [] : ['the time of creation cannot be read']),
    ...(roles.has(role) ? [] : [`there is no role ${JSON.stringify(role.slice(0, 100))}`]),
    ...(passwordHash !== undefined && !isVerifiableHash(passwordHash) ? ['the password hash is of no known form'] : []),
    ...(passwordHash !== undefined && email === undefined ? ['it has a password and no e-mail address'] : []),
  ]
  if (faults.length > 0) return { line, reason: faults.join('; ') }
  return {
    line,
    subject: id ?? '',
    email: email ?? null,
    createdAtMs,
    isDisabled,
    role,
    passwordHash: passwordHash ?? null,
  }
}

function isAddress(email: string): boolean {
  return email.length <= emailRules.maxLength && emailPattern.test(email)
}

/** A text that is not empty. Numbers of a JSON file are texts here. */
export function textAt(record: RawRecord, ...path: readonly string[]): string | undefined {
  const value = valueAt(record, path)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** `true` in all its spellings; anything else is not. */
export function isTrue(record: RawRecord, name: string): boolean {
  const value = record[name]
  return value === true || value === 1 || /^(true|t|1|yes)$/i.test(typeof value === 'string' ? value : '')
}

export function valueAt(record: RawRecord, path: readonly string[]): unknown {
  let value: unknown = record
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = new Map(Object.entries(value)).get(name)
  }
  return value
}
