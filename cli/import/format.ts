import { emailPattern, emailRules } from '../../src/platform/http/formats.ts'
import { isVerifiableHash } from '../../src/sign-in/passwords/imported-hashes.ts'

/** One user in the words of another product. Members that its export does not have are absent. */
export interface ForeignAccount {
  /** The id there. */
  readonly id: string | undefined
  readonly email?: string | undefined
  /** A time that `Date` reads, or milliseconds since 1970. */
  readonly createdAt?: string | number | undefined
  /** The same of the last sign-in there. Absent if there was none, or if the export does not say. */
  readonly lastSignInAt?: string | number | undefined
  readonly isDisabled?: boolean
  readonly role?: string | undefined
  /** In the format of docs/administration.md, or unchanged where Muster does not know its kind. */
  readonly passwordHash?: string | undefined
}

/** A record of a file: names and values of any kind. */
export type RawRecord = Readonly<Record<string, unknown>>

/** How to read the export of one product. */
export interface ImportFormat {
  readonly title: string
  readonly read: (record: RawRecord) => ForeignAccount
}

/** A valid record, ready to be inserted. */
export interface ImportedAccount {
  readonly line: number
  readonly subject: string
  readonly email: string | null
  readonly createdAtMs: number
  readonly lastSignInAtMs: number | null
  readonly isDisabled: boolean
  readonly role: string
  readonly passwordHash: string | null
}

export interface Rejected {
  readonly line: number
  readonly reason: string
}

/** By id, whether it is for members of organizations. */
type Roles = ReadonlyMap<string, boolean>

/** Returns all faults of a record at once, so that one correction of the file is enough. */
export function validateRecord(
  foreign: ForeignAccount,
  { line, roles, nowMs }: { line: number; roles: Roles; nowMs: number },
): ImportedAccount | Rejected {
  const { id, email, createdAt, lastSignInAt, isDisabled = false, role = 'user', passwordHash } = foreign
  const createdAtMs = createdAt === undefined ? nowMs : new Date(createdAt).getTime()
  const lastSignInAtMs = lastSignInAt === undefined ? null : new Date(lastSignInAt).getTime()
  const isReadable = (ms: number) => ms >= 0 && ms <= nowMs + 86_400_000
  const faults = [
    ...(id === undefined || id === '' || id.length > 255 ? ['it has no id of 1 to 255 characters'] : []),
    ...(email !== undefined && !isAddress(email)
      ? [`${JSON.stringify(email.slice(0, 100))} is not an e-mail address`]
      : []),
    ...(isReadable(createdAtMs) ? [] : ['the time of creation is not readable']),
    ...(lastSignInAtMs === null || isReadable(lastSignInAtMs) ? [] : ['the time of the last sign-in is not readable']),
    ...roleFaults(role, roles),
    ...(passwordHash !== undefined && !isVerifiableHash(passwordHash)
      ? ['the password hash has an unknown format']
      : []),
    ...(passwordHash !== undefined && email === undefined ? ['it has a password but no e-mail address'] : []),
  ]
  if (faults.length > 0) return { line, reason: faults.join('; ') }
  return {
    line,
    subject: id ?? '',
    email: email ?? null,
    createdAtMs,
    // A clock that is ahead must not make a session here the first one.
    lastSignInAtMs: lastSignInAtMs === null ? null : Math.min(lastSignInAtMs, nowMs),
    isDisabled,
    role,
    passwordHash: passwordHash ?? null,
  }
}

function roleFaults(role: string, roles: Roles): readonly string[] {
  const isForMembers = roles.get(role)
  const shown = JSON.stringify(role.slice(0, 100))
  if (isForMembers === undefined) return [`there is no role ${shown}`]
  return isForMembers ? [`the role ${shown} is for members of organizations, not for accounts`] : []
}

function isAddress(email: string): boolean {
  return email.length <= emailRules.maxLength && emailPattern.test(email)
}

/** The text at a path, unless it is empty. A number counts as its text. */
export function textAt(record: RawRecord, ...path: readonly string[]): string | undefined {
  const value = valueAt(record, path)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** Whether a value is `true` in any of its spellings. */
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
