import type { Database, Rows } from '../platform/database/database.ts'
import { StartError } from '../platform/start-error.ts'

/** The product whose second factors are read: Muster itself, or the product of the issuer. */
export type Directory =
  | { readonly kind: 'own' }
  | { readonly kind: 'supabase'; readonly issuer: string; readonly hasPasskeys?: boolean }
  | { readonly kind: 'better-auth'; readonly issuer: string; readonly schema: string }

/**
 * Creates the view `directory_factor`, which takes effect at once on all nodes. It only reads the other product's
 * tables.
 * Throws `StartError` if the tables are missing, or if this role would see no rows in them.
 */
export async function useDirectory(database: Database, directory: Directory): Promise<void> {
  await requireTables(database, directory)
  const view = await viewOf(database, directory)
  await database.transaction(async (rows) => {
    for (const text of ['drop view if exists directory_factor', view]) await rows.query({ name: '', text }, [])
  })
}

/** The same as SQL text, for a role with more privileges to run. */
export async function directorySql(rows: Rows, directory: Directory): Promise<string> {
  const view = await viewOf(rows, directory)
  const [row] = await rows.query<{ path: string; grants: string }>(grantsStatement, [])
  return `begin;\n${row?.path};\ndrop view if exists directory_factor;\n${view};\n${row?.grants};\ncommit;`
}

/** The definition of the current view, as PostgreSQL prints it. */
export async function readDirectory(rows: Rows): Promise<string> {
  const [row] = await rows.query<{ definition: string | null }>(definitionStatement, [])
  return row?.definition ?? 'The view directory_factor does not exist.'
}

/** PostgreSQL quotes the values (%L literal, %I identifier), because a view takes no parameters. */
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
 * The form of the join matters. Comparing texts would scan the whole table of factors. A cast without the \`case\`
 * would fail on subjects of other issuers, which are not UUIDs. A blank name counts as no name, as at Supabase.
 */
const supabaseView = `create view directory_factor as
  select f.id, i.account_id, nullif(btrim(f.friendly_name), '') as friendly_name
  from identity i
  join auth.mfa_factors f on f.user_id = case when i.issuer = %L then i.subject::uuid end
  where f.status = 'verified'`

/** Passkeys that sign in without a password. WebAuthn second factors are in auth.mfa_factors. */
const supabasePasskey = `
  union all
  select c.id, i.account_id, coalesce(nullif(btrim(c.friendly_name), ''), 'Passkey')
  from identity i
  join auth.webauthn_credentials c on c.user_id = case when i.issuer = %L then i.subject::uuid end`

/** Better Auth stores no name of an authenticator app; a passkey may have a name. */
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
  for (const name of tablesOf(directory)) {
    const [table] = await rows.query<{ shows: boolean }>(tableStatement, name)
    if (!table) throw new StartError(`The table ${name.join('.')} does not exist in this database.`)
    if (!table.shows)
      throw new StartError(
        `This role cannot see the rows of ${name.join('.')}. Print the SQL with muster directory use ${kind} … --print and run it as the owner of the table.`,
      )
  }
}

/** Schema and table of each source of the view. */
function tablesOf(directory: Exclude<Directory, { readonly kind: 'own' }>): readonly (readonly [string, string])[] {
  if (directory.kind === 'better-auth') return [[directory.schema, 'twoFactor']]
  return [['auth', 'mfa_factors'], ...(directory.hasPasskeys ? [['auth', 'webauthn_credentials'] as const] : [])]
}

/**
 * Reads the catalog, which every role may read. A query on a table with row-level security would not fail but return no
 * rows, as if no account had a factor.
 */
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
