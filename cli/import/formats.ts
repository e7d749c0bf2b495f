import { parseBoundedJson } from '../../src/platform/json-text.ts'
import { type ImportFormat, isTrue, type RawRecord, textAt, valueAt } from './accounts.ts'

/** The output of `muster export`, optionally with password hashes. */
const muster: ImportFormat = {
  title: 'Muster',
  read: (record) => ({
    id: textAt(record, 'id'),
    email: textAt(record, 'email'),
    displayName: textAt(record, 'displayName') ?? textAt(record, 'display_name'),
    createdAt: textAt(record, 'createdAt'),
    lastSignInAt: textAt(record, 'lastSignInAt'),
    isDisabled: textAt(record, 'status') === 'disabled',
    role: textAt(record, 'role'),
    passwordHash: textAt(record, 'passwordHash'),
  }),
}

/** Rows of `auth.users`, by `\copy (select * from auth.users) to 'users.csv' csv header` or as JSON lines. */
const supabase: ImportFormat = {
  title: 'Supabase Auth',
  read: (record) => ({
    id: textAt(record, 'id'),
    email: textAt(record, 'email'),
    displayName: supabaseName(record),
    createdAt: textAt(record, 'created_at'),
    lastSignInAt: textAt(record, 'last_sign_in_at'),
    isDisabled: textAt(record, 'deleted_at') !== undefined || isBanned(record),
    // bcrypt, unchanged.
    passwordHash: textAt(record, 'encrypted_password'),
  }),
}

/** JSON lines have an object, CSV its text. */
function supabaseName({ raw_user_meta_data: data }: RawRecord): string | undefined {
  const meta = typeof data === 'string' ? parsed(data) : { ...Object(data) }
  return textAt(meta, 'full_name') ?? textAt(meta, 'name')
}

function isBanned(record: RawRecord): boolean {
  const until = textAt(record, 'banned_until')
  return until !== undefined && !(new Date(until).getTime() <= Date.now())
}

/** The export of users (JSON lines or CSV), or the export of password hashes from Auth0's support. */
const auth0: ImportFormat = {
  title: 'Auth0',
  read: (record) => ({
    id: idOf(record),
    email: textAt(record, 'email') ?? textAt(record, 'Email'),
    displayName: auth0Name(record),
    createdAt: textAt(record, 'created_at') ?? textAt(record, 'password_set_date', '$date'),
    lastSignInAt: textAt(record, 'last_login'),
    isDisabled: isTrue(record, 'blocked'),
    // bcrypt, unchanged.
    passwordHash: textAt(record, 'passwordHash'),
  }),
}

/** Auth0 fills a missing name with the email. */
function auth0Name(record: RawRecord): string | undefined {
  const name = textAt(record, 'name') ?? textAt(record, 'Name')
  return name === (textAt(record, 'email') ?? textAt(record, 'Email')) ? undefined : name
}

/** IDs in the export of hashes lack the prefix of the connection, which tokens and the other export have. */
function idOf(record: RawRecord): string | undefined {
  const bare = textAt(record, '_id', '$oid')
  return textAt(record, 'user_id') ?? textAt(record, 'Id') ?? (bare === undefined ? undefined : `auth0|${bare}`)
}

/** The dashboard's export of users (CSV). */
const clerk: ImportFormat = {
  title: 'Clerk',
  read: (record) => ({
    id: textAt(record, 'id'),
    email: textAt(record, 'primary_email_address'),
    displayName: fullName(textAt(record, 'first_name'), textAt(record, 'last_name')),
    createdAt: textAt(record, 'created_at'),
    lastSignInAt: textAt(record, 'last_sign_in_at'),
    isDisabled: isTrue(record, 'banned'),
    passwordHash: clerkHash(record),
  }),
}

function fullName(given: string | undefined, family: string | undefined): string | undefined {
  return [given, family].filter((part) => part !== undefined).join(' ') || undefined
}

/** `password_hasher` names the algorithm. bcrypt and argon2 digests already have our format. */
function clerkHash(record: RawRecord): string | undefined {
  const digest = textAt(record, 'password_digest')
  const hasher = textAt(record, 'password_hasher')
  if (digest === undefined || hasher === undefined || digest.startsWith('$')) return digest
  return `${hasher}:${digest}`
}

/** The users of a realm export, one per line: `jq -c '.users[]' realm.json > users.jsonl`. */
const keycloak: ImportFormat = {
  title: 'Keycloak',
  read: (record) => ({
    id: textAt(record, 'id'),
    email: textAt(record, 'email'),
    displayName: fullName(textAt(record, 'firstName'), textAt(record, 'lastName')),
    createdAt: timeOf(record),
    isDisabled: record.enabled === false,
    passwordHash: keycloakHash(record),
  }),
}

function timeOf(record: RawRecord): number | undefined {
  const time = record.createdTimestamp
  return typeof time === 'number' ? time : undefined
}

function keycloakHash(record: RawRecord): string | undefined {
  const credentials = Array.isArray(record.credentials) ? record.credentials : []
  const password = credentials.find((one) => textAt({ one }, 'one', 'type') === 'password')
  if (password === undefined) return undefined
  const secret = parsed(textAt({ password }, 'password', 'secretData'))
  const data = parsed(textAt({ password }, 'password', 'credentialData'))
  const [salt, value] = [textAt(secret, 'salt'), textAt(secret, 'value')]
  const [algorithm, rounds] = [textAt(data, 'algorithm'), textAt(data, 'hashIterations')]
  const ending = `$${unpadded(salt ?? '')}$${unpadded(value ?? '')}`
  if (algorithm === 'argon2')
    return `$argon2${first(data, 'type')}$v=19$m=${first(data, 'memory')},t=${rounds},p=${first(data, 'parallelism')}${ending}`
  return `$${algorithm}$i=${rounds}${ending}`
}

/** Parameters of argon2 are lists with one entry. */
function first(data: RawRecord, name: string): string {
  const list = valueAt(data, ['additionalParameters', name])
  return String(Array.isArray(list) ? list[0] : '')
}

function parsed(text: string | undefined): RawRecord {
  try {
    const value: unknown = parseBoundedJson(text ?? '{}')
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
  } catch {
    // Validation rejects the record: without parameters the hash has an unknown format.
    return {}
  }
}

/** PHC strings have base64 without padding. */
function unpadded(base64: string): string {
  return base64.replaceAll('=', '')
}

/** Rows of `user` with `password` of the `account` whose provider is `credential`; the query is in docs/administration.md. */
const betterAuth: ImportFormat = {
  title: 'better-auth',
  read: (record) => ({
    id: textAt(record, 'id'),
    email: textAt(record, 'email'),
    displayName: textAt(record, 'name'),
    createdAt: textAt(record, 'createdAt') ?? textAt(record, 'created_at'),
    lastSignInAt: textAt(record, 'lastSignInAt'),
    isDisabled: isTrue(record, 'banned'),
    passwordHash: betterAuthHash(record),
  }),
}

/** `salt:key` in hexadecimal, scrypt with N = 2^14, r = 16, p = 1. The salt is the hexadecimal text itself, not the decoded bytes. */
function betterAuthHash(record: RawRecord): string | undefined {
  const password = textAt(record, 'password')
  const [, salt, key] = /^([0-9a-f]{16,64}):([0-9a-f]{64,256})$/.exec(password ?? '') ?? []
  if (salt === undefined || key === undefined) return password
  return `$scrypt$ln=14,r=16,p=1$${unpadded(Buffer.from(salt).toString('base64'))}$${unpadded(Buffer.from(key, 'hex').toString('base64'))}`
}

/** By the value of `--from`. */
export const importFormats: Readonly<Record<string, ImportFormat>> = {
  muster,
  supabase,
  auth0,
  clerk,
  keycloak,
  'better-auth': betterAuth,
}
