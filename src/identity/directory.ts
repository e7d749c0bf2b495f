import type { Database, Rows } from '../platform/database/database.ts'
import { StartError } from '../platform/start-error.ts'

/** Whose table of second factors is read: Muster's own, or that of the issuer that signs people in. */
export type Directory =
  | { readonly kind: 'own' }
  | { readonly kind: 'supabase'; readonly issuer: string; readonly hasPasskeys?: boolean }
  | { readonly kind: 'better-auth'; readonly issuer: string; readonly schema: string }

/**
 * Puts the view `directory_factor` in place, at once and for all nodes. It only reads: nothing is written to another product's
 * tables. Throws `StartError` with a sentence where those tables are not there, or would show nothing to this role.
 */
export async function useDirectory(database: Database, directory: Directory): Promise<void> {
  await requireTables(database, directory)
  const view = await viewOf(database, directory)
  await database.transaction(async (rows) => {
    for (const text of ['drop view if exists directory_factor', view]) await rows.query({ name: '', text }, [])
  })
}

/** The same as SQL text, to be run by a role with more rights than this one; `reader` is the role that the service runs as. */
export async function directorySql(rows: Rows, directory: Directory): Promise<string> {
  const view = await viewOf(rows, directory)
  const [row] = await rows.query<{ path: string; grants: string }>(grantsStatement, [])
  return `begin;\n${row?.path};\ndrop view if exists directory_factor;\n${view};\n${row?.grants};\ncommit;`
}

/** The definition of the view that is in place, as PostgreSQL has it. */
export async function readDirectory(rows: Rows): Promise<string> {
  const [row] = await rows.query<{ definition: string | null }>(definitionStatement, [])
  return row?.definition ?? 'There is no view directory_factor.'
}

/** Quoted by PostgreSQL itself (%L a literal, %I a name): a view takes no parameters. */
async function viewOf(rows: Rows, directory: Directory): Promise<string> {
  const [template, ...values] = await templateOf(rows, directory)
  const [row] = await rows.query<{ text: string }>(formatStatement, [template, values])
  if (!row) throw new Error('format answered no row.')
  return row.text
}

async function templateOf(rows: Rows, directory: Directory): Promise<[string, ...string[]]> {
  if (directory.kind === 'own') return [ownView]
  const { issuer } = directory
  if (directory.kind === 'supabase')
    return directory.hasPasskeys ? [`${supabaseView}${supabasePasskey}`, issuer, issuer] : [supabaseView, issuer]
  const { schema } = directory
  const [tables] = await rows.query<BetterAuthTables>(betterAuthStatement, [schema])
  const cast = tables?.id_type === 'uuid' ? '::uuid' : ''
  const twoFactor = betterAuthTwoFactor.replace('CAST', cast)
  if (!tables?.has_passkey) return [twoFactor, schema, issuer]
  return [`${twoFactor}${betterAuthPasskey.replace('CAST', cast)}`, schema, issuer, schema, issuer]
}

const ownView = `create view directory_factor as
  select id, account_id, friendly_name
  from second_factor`

/**
 * The form of the join decides: comparing texts would scan the whole table of factors, and a cast without the \`case\` would fail on
 * subjects of other issuers, which are no UUIDs. A blank name counts as none, as it does at Supabase.
 */
const supabaseView = `create view directory_factor as
  select f.id, i.account_id, nullif(btrim(f.friendly_name), '') as friendly_name
  from identity i
  join auth.mfa_factors f on f.user_id = case when i.issuer = %L then i.subject::uuid end
  where f.status = 'verified'`

/** Credentials of a sign-in without a password. A factor of the type WebAuthn is in the table above. */
const supabasePasskey = `
  union all
  select c.id, i.account_id, coalesce(nullif(btrim(c.friendly_name), ''), 'Passkey')
  from identity i
  join auth.webauthn_credentials c on c.user_id = case when i.issuer = %L then i.subject::uuid end`

/** An authenticator app has no name there, so that it gets one here; a passkey may have one. */
const betterAuthTwoFactor = `create view directory_factor as
  select t.id, i.account_id, 'Authenticator app'::text as friendly_name
  from identity i
  join %I."twoFactor" t on t."userId" = case when i.issuer = %L then i.subjectCAST end
  where t.verified`

const betterAuthPasskey = `
  union all
  select p.id, i.account_id, coalesce(nullif(btrim(p.name), ''), 'Passkey')
  from identity i
  join %I.passkey p on p."userId" = case when i.issuer = %L then i.subjectCAST end`

interface BetterAuthTables {
  readonly id_type: string
  readonly has_passkey: boolean
}

async function requireTables(rows: Rows, directory: Directory): Promise<void> {
  if (directory.kind === 'own') return
  const { kind } = directory
  for (const place of placesOf(directory)) {
    const [table] = await rows.query<{ shows: boolean }>(tableStatement, place)
    if (!table) throw new StartError(`There is no table ${place.join('.')} in this database.`)
    if (!table.shows)
      throw new StartError(
        `This role would see no row of ${place.join('.')}. Let its owner run what muster directory use ${kind} … --print prints.`,
      )
  }
}

/** Schema and table of what the view reads. */
function placesOf(directory: Exclude<Directory, { readonly kind: 'own' }>): readonly (readonly [string, string])[] {
  if (directory.kind === 'better-auth') return [[directory.schema, 'twoFactor']]
  return [['auth', 'mfa_factors'], ...(directory.hasPasskeys ? [['auth', 'webauthn_credentials'] as const] : [])]
}

/** Reads the catalogue, which every role may read. Row-level security would not refuse a query but return no rows, as if no account had a factor. */
const tableStatement = {
  name: 'directory_table',
  text: `
select case when has_schema_privilege(n.oid, 'usage')
         then has_table_privilege(c.oid, 'select') and not row_security_active(c.oid)
         else false end as shows
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relname = $2`,
}

const betterAuthStatement = {
  name: 'directory_better_auth',
  text: `
select coalesce(max(format_type(a.atttypid, null)) filter (where c.relname = 'twoFactor'), 'text') as id_type,
       coalesce(bool_or(c.relname = 'passkey'), false) as has_passkey
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attname = 'userId'
where n.nspname = $1 and c.relname in ('twoFactor', 'passkey')`,
}

const formatStatement = { name: 'directory_format', text: 'select format($1::text, variadic $2::text[]) as text' }

const grantsStatement = {
  name: 'directory_grants',
  text: `select format('set local search_path = %I', current_schema()) as path,
       format('grant select on directory_factor to %I', current_user) as grants`,
}

const definitionStatement = {
  name: 'directory_definition',
  text: `select pg_get_viewdef(to_regclass('directory_factor'), true) as definition`,
}
