import { randomBytes } from 'node:crypto'
import { type Client, DatabaseError } from 'pg'
import { normalizeEmail } from '../../src/sign-in/passwords/password-accounts.ts'
import { builtInIssuer } from '../../src/sign-in/sessions/access-tokens.ts'
import type { ImportedAccount, Rejected } from './format.ts'

export interface BatchResult {
  readonly imported: number
  /** Existed before, by issuer and subject. */
  readonly existing: number
  readonly rejected: readonly Rejected[]
}

/**
 * Imports one batch by one statement. Accounts that exist by issuer and subject stay unchanged, so that a second run changes nothing, and
 * an interrupted import can be started again. Another transaction may insert the same accounts at the same time: a sign-in, another import,
 * or the rest of a killed one. The batch is then tried again, and those accounts exist.
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
  const reason = 'another account already signs in with this e-mail address'
  return {
    imported: Number(imported),
    existing: Number(existing),
    rejected: (taken ?? []).map((line) => ({ line, reason })),
  }
}

/** An array for each column of `batch` in the statement, in their order. */
function columnsOf(batch: readonly ImportedAccount[]): readonly (readonly unknown[])[] {
  return [
    batch.map(({ line }) => line),
    batch.map(({ createdAtMs }) => uuidAt(createdAtMs)),
    batch.map(({ subject }) => storable(subject)),
    batch.map(({ email }) => storable(email)),
    // Only an address that signs in has to be unique.
    batch.map(({ email, passwordHash }) =>
      email !== null && passwordHash !== null ? storable(normalizeEmail(email)) : null,
    ),
    batch.map(({ createdAtMs }) => new Date(createdAtMs).toISOString()),
    batch.map(({ isDisabled }) => isDisabled),
    batch.map(({ role }) => role),
    batch.map(({ passwordHash }) => storable(passwordHash)),
    batch.map(({ lastSignInAtMs }) => (lastSignInAtMs === null ? null : new Date(lastSignInAtMs).toISOString())),
  ]
}

/** PostgreSQL cannot store NUL. */
function storable(text: string | null): string | null {
  return text?.replaceAll('\0', '') ?? null
}

/** UUIDv7 (RFC 9562 §5.7) of the time of creation, so that ids are in the order of creation. */
function uuidAt(ms: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Math.floor(ms), 0, 6)
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f)
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** $1 is the foreign issuer, $2 the built-in one. Of two lines whose address signs in, the first gets the address. */
const importText = `
with batch as (
  select * from unnest($3::int[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::boolean[], $10::text[], $11::text[],
                       $12::timestamptz[])
    as b (line, account_id, subject, email, login, created_at, is_disabled, role_id, password, last_sign_in_at)
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
  insert into account (id, email, role_id, created_at, disabled_at, first_session_until)
  select account_id, email, role_id, created_at, case when is_disabled then now() end, last_sign_in_at from good
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
