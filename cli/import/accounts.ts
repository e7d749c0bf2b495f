import { randomBytes } from 'node:crypto'
import { type Client, DatabaseError } from 'pg'
import { builtInIssuer } from '../../src/identity/issuers/names.ts'
import { emailFault, normalizeEmail, withAsciiDomain } from '../../src/platform/email.ts'
import { displayNameFault, normalizeDisplayName } from '../../src/platform/http/formats.ts'
import { isVerifiableHash } from '../../src/sign-in/passwords/passwords.ts'

/** A user as exported by another product. Members that the export lacks are absent. */
interface ForeignAccount {
  /** ID in the other product. */
  readonly id: string | undefined
  readonly email?: string | undefined
  readonly displayName?: string | undefined
  /** Any format that `Date` parses, or milliseconds since 1970. */
  readonly createdAt?: string | number | undefined
  /** Same format. Absent if the user never signed in or the export does not say. */
  readonly lastSignInAt?: string | number | undefined
  readonly isDisabled?: boolean
  readonly role?: string | undefined
  /** In a format of docs/administration.md, or unchanged if Muster does not know the format. */
  readonly passwordHash?: string | undefined
}

/** One record of a file. */
export type RawRecord = Readonly<Record<string, unknown>>

/** Reads the export of one product. */
export interface ImportFormat {
  readonly title: string
  readonly read: (record: RawRecord) => ForeignAccount
}

/** A valid record, ready to be inserted. */
export interface ImportedAccount {
  readonly line: number
  readonly subject: string
  readonly email: string | null
  readonly displayName: string | null
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

/** Role ID → true if the role is for members of organizations. */
type Roles = ReadonlyMap<string, boolean>

/** Reports all faults of a record together, so that the file needs only one correction. */
export function validateRecord(
  foreign: ForeignAccount,
  { line, roles, nowMs }: { line: number; roles: Roles; nowMs: number },
): ImportedAccount | Rejected {
  const { id, email, displayName, createdAt, lastSignInAt, isDisabled = false, role = 'user', passwordHash } = foreign
  const createdAtMs = createdAt === undefined ? nowMs : new Date(createdAt).getTime()
  const lastSignInAtMs = lastSignInAt === undefined ? null : new Date(lastSignInAt).getTime()
  const isReadable = (ms: number) => ms >= 0 && ms <= nowMs + 86_400_000
  const faults = [
    ...(id === undefined || id === '' || id.length > 255 ? ['the ID is missing or longer than 255 characters'] : []),
    ...faultOf(email, emailFault, (text) => JSON.stringify(text.slice(0, 100))),
    ...faultOf(displayName, displayNameFault, () => 'the name'),
    ...(isReadable(createdAtMs) ? [] : ['the creation time is unreadable']),
    ...(lastSignInAtMs === null || isReadable(lastSignInAtMs) ? [] : ['the time of the last sign-in is unreadable']),
    ...roleFaults(role, roles),
    ...(passwordHash !== undefined && !isVerifiableHash(passwordHash)
      ? ['the password hash has an unknown format']
      : []),
    ...(passwordHash !== undefined && email === undefined ? ['it has a password but no email'] : []),
  ]
  if (faults.length > 0) return { line, reason: faults.join('; ') }
  return {
    line,
    subject: id ?? '',
    email: email === undefined ? null : withAsciiDomain(email),
    displayName: displayName === undefined ? null : normalizeDisplayName(displayName),
    createdAtMs,
    // Capped: with a time in the future, the next sign-in would count as part of the first session.
    lastSignInAtMs: lastSignInAtMs === null ? null : Math.min(lastSignInAtMs, nowMs),
    isDisabled,
    role,
    passwordHash: passwordHash ?? null,
  }
}

function faultOf(
  text: string | undefined,
  check: (text: string) => string | undefined,
  nameOf: (text: string) => string,
): readonly string[] {
  const fault = text === undefined ? undefined : check(text)
  return text === undefined || fault === undefined ? [] : [`${nameOf(text)} ${fault}`]
}

function roleFaults(role: string, roles: Roles): readonly string[] {
  const isForMembers = roles.get(role)
  const shown = JSON.stringify(role.slice(0, 100))
  if (isForMembers === undefined) return [`there is no role ${shown}`]
  return isForMembers ? [`the role ${shown} is for members of organizations, not for users`] : []
}

/** Text at a path; undefined if it is empty. Numbers become text. */
export function textAt(record: RawRecord, ...path: readonly string[]): string | undefined {
  const value = valueAt(record, path)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** True for `true` in any spelling, such as 1, t or yes. */
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

interface BatchResult {
  readonly imported: number
  /** Accounts that already existed, by issuer and subject. */
  readonly existing: number
  readonly rejected: readonly Rejected[]
}

/**
 * Imports one batch with one statement. Existing accounts (by issuer and subject) stay unchanged, so an interrupted import can be restarted.
 * If another transaction inserts the same accounts at the same time, such as a sign-in or another import, retries the batch.
 */
export async function importBatch(
  client: Client,
  issuer: string,
  batch: readonly ImportedAccount[],
): Promise<BatchResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await importOnce(client, issuer, batch)
    } catch (error) {
      if (attempt === attemptsMax || !(error instanceof DatabaseError) || !retryable.has(error.code ?? '')) throw error
    }
  }
}

const attemptsMax = 10
/** unique_violation, serialization_failure and deadlock_detected. */
const retryable: ReadonlySet<string> = new Set(['23505', '40001', '40P01'])

async function importOnce(client: Client, issuer: string, batch: readonly ImportedAccount[]): Promise<BatchResult> {
  const values = [issuer, builtInIssuer, ...columnsOf(batch)]
  const { rows } = await client.query<{ imported: string; existing: string; taken: readonly number[] | null }>(
    importText,
    values,
  )
  const [{ imported, existing, taken } = { imported: '0', existing: '0', taken: null }] = rows
  const reason = 'another user already signs in with this email'
  return {
    imported: Number(imported),
    existing: Number(existing),
    rejected: (taken ?? []).map((line) => ({ line, reason })),
  }
}

/** One array per column of `batch` in the statement, in the same order. */
function columnsOf(batch: readonly ImportedAccount[]): readonly (readonly unknown[])[] {
  return [
    batch.map(({ line }) => line),
    batch.map(({ createdAtMs }) => uuidAt(createdAtMs)),
    batch.map(({ subject }) => storable(subject)),
    batch.map(({ email }) => storable(email)),
    // Only emails that sign in must be unique.
    batch.map(({ email, passwordHash }) =>
      email !== null && passwordHash !== null ? storable(normalizeEmail(email)) : null,
    ),
    batch.map(({ createdAtMs }) => new Date(createdAtMs).toISOString()),
    batch.map(({ isDisabled }) => isDisabled),
    batch.map(({ role }) => role),
    batch.map(({ passwordHash }) => storable(passwordHash)),
    batch.map(({ lastSignInAtMs }) => (lastSignInAtMs === null ? null : new Date(lastSignInAtMs).toISOString())),
    batch.map(({ displayName }) => displayName),
  ]
}

/** PostgreSQL cannot store NUL. */
function storable(text: string | null): string | null {
  return text?.replaceAll('\0', '') ?? null
}

/** UUIDv7 (RFC 9562 §5.7) of the creation time, so that IDs sort by creation. */
function uuidAt(ms: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Math.floor(ms), 0, 6)
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f)
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** $1 is the foreign issuer, $2 the built-in one. If two lines sign in with one email, the first gets it. */
const importText = `
with batch as (
  select * from unnest($3::int[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::boolean[], $10::text[], $11::text[],
                       $12::timestamptz[], $13::text[])
    as b (line, account_id, subject, email, login, created_at, is_disabled, role_id, password, last_sign_in_at, display_name)
), new as (
  select distinct on (a.subject) a.*
  from batch a
  where not exists (select from identity i where i.issuer = $1 and i.subject = a.subject)
  order by a.subject, a.line
), ranked as (
  select n.*, n.login is not null and (
           row_number() over (partition by n.login order by n.line) > 1
           or exists (select from credential c where c.email = n.login)) as is_taken
  from new n
), good as (
  select * from ranked where not is_taken
), accounts as (
  insert into account (id, email, role_id, created_at, disabled_at, first_session_until, display_name)
  select account_id, email, role_id, created_at, case when is_disabled then now() end, last_sign_in_at, display_name from good
), identities as (
  insert into identity (issuer, subject, account_id)
  select $1, subject, account_id from good
  union all
  select $2, account_id::text, account_id from good where login is not null
), credentials as (
  insert into credential (account_id, email, password) select account_id, login, password from good where login is not null
)
select (select count(*) from good) as imported,
       (select count(*) from batch) - (select count(*) from new) as existing,
       (select array_agg(line order by line) from ranked where is_taken) as taken`
