import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { inject } from 'vitest'
import type { Database } from '../../src/platform/database/database.ts'
import { checkAuditTrail } from './audit-shapes.ts'
import { bySocket, type FreshDatabase, freshDatabase, testApplicationName } from './database.ts'

/**
 * A database with all migrations and no rows, for one service at a time. `drop` resets it for the next service of the worker, which then
 * finds open connections with planned statements: 35 ms of CPU less than a copy of the template. A database that a test changed in other
 * ways than by rows is removed. Not for a test that restores a backup into it, which rejects rows that no migration has inserted.
 */
export async function reusedDatabase(): Promise<FreshDatabase> {
  const { adminUrl, userUrl } = inject('testServer')
  // Only a superuser can delete rows without running triggers. And on a server that outlives the run, each database must be removed.
  if (adminUrl === userUrl) return freshDatabase()
  return lend(unused.pop() ?? (await createDatabase()))
}

interface Reusable {
  readonly fresh: FreshDatabase
  /** A superuser. */
  readonly admin: Client
  readonly tables: readonly Table[]
  /** As the migrations made it. */
  readonly initial: { readonly schema: string; readonly rows: ReadonlyMap<string, string> }
}

/** Databases that no service of this worker uses. */
const unused: Reusable[] = []
const unusedMax = 4

async function createDatabase(): Promise<Reusable> {
  const fresh = await freshDatabase()
  const { socketFolder } = inject('testServer')
  const url = socketFolder === undefined ? fresh.adminUrl : bySocket(fresh.adminUrl, socketFolder)
  const admin = new Client({ connectionString: url, application_name: testApplicationName })
  // A test may end every connection to the database.
  admin.on('error', () => undefined)
  await admin.connect()
  // Rows are deleted without running triggers. Once for all, because each change of this setting makes the server plan every statement anew.
  await admin.query('set session_replication_role = replica')
  const tables = await readTables(admin)
  return { fresh, admin, tables, initial: { schema: await readSchema(admin), rows: await readRows(admin, tables) } }
}

function lend(reusable: Reusable): FreshDatabase {
  const { fresh } = reusable
  let isReturned = false
  const use = () => {
    if (isReturned) throw new Error('The database was dropped.')
    return fresh
  }
  return {
    ...fresh,
    database: databaseOf(fresh.database, () => use().database),
    sql: async (text, values) => use().sql(text, values),
    async drop() {
      isReturned = true
      await checkAuditTrail(fresh).finally(() => takeBack(reusable))
    },
  }
}

/** Statements after the end fail, as on a closed pool: what a stopped service left running must not change rows of the next one. */
function databaseOf({ health }: Database, use: () => Database): Database {
  return {
    query: async (...args) => use().query(...args),
    transaction: async (work) => use().transaction(work),
    stream: (...args) => use().stream(...args),
    connect: async () => use().connect(),
    ping: async () => use().ping(),
    openPools: async () => use().openPools(),
    side: { query: async (...args) => use().side.query(...args) },
    health,
    close: async () => undefined,
  }
}

async function takeBack(reusable: Reusable): Promise<void> {
  const isReset = unused.length < unusedMax && (await reset(reusable).catch(() => false))
  if (isReset) {
    unused.push(reusable)
    return
  }
  await reusable.admin.end()
  await reusable.fresh.drop()
}

/** Returns false if a test changed more than rows, or left something running. */
async function reset({ fresh: { database }, admin, tables, initial }: Reusable): Promise<boolean> {
  if (database.health().failures.size > 0 || !(await becomesIdle(database, admin))) return false
  if ((await readSchema(admin)) !== initial.schema) return false
  const rows = await readRows(admin, tables)
  const changes = tables
    .filter(({ name }) => rows.get(name) !== initial.rows.get(name))
    .map(({ name, columns }) => {
      const former = initial.rows.get(name)
      const source = former && `json_populate_recordset(null::${name}, ${admin.escapeLiteral(former)})`
      return `delete from ${name}; ${source ? `insert into ${name} (${columns}) select ${columns} from ${source};` : ''}`
    })
  await admin.query(`begin; ${changes.join('\n')} commit`)
  return true
}

/** Waits for statements and connections that end soon. */
async function becomesIdle(database: Database, admin: Client): Promise<boolean> {
  for (let tries = 0; tries < 50; tries += 1) {
    const pools = Object.values(database.health().pools)
    const isUnused = pools.every(({ open, idle, waiting }) => idle === open && waiting === 0)
    const open = pools.reduce((sum, pool) => sum + pool.open, 0)
    const { rows } = await admin.query({ name: 'connections', text: connections, values: [testApplicationName] })
    if (isUnused && rows.length <= open) return true
    await setTimeout(5)
  }
  return false
}

const connections = `
select pid from pg_stat_activity
where datname = current_database() and backend_type = 'client backend' and application_name <> $1`

/** Quoted. `columns`: those that are not generated. */
interface Table {
  readonly name: string
  readonly columns: string
}

async function readTables(admin: Client): Promise<readonly Table[]> {
  const { rows } = await admin.query<Table>(`
    select c.oid::regclass::text as name, string_agg(quote_ident(a.attname), ', ') as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and a.attgenerated = '' and not a.attisdropped
    where c.relnamespace = 'muster'::regnamespace and c.relkind = 'r'
    group by c.oid`)
  return rows
}

/** The rows of each table that has some, as JSON. Only the first of many, which is enough to see that there are any. */
async function readRows(admin: Client, tables: readonly Table[]): Promise<ReadonlyMap<string, string>> {
  const first = ({ name }: Table) =>
    `select '${name}' as name, json_agg(r)::text as rows from (select * from ${name} limit 100) r having count(*) > 0`
  const text = tables.map(first).join(' union all ')
  const { rows } = await admin.query<{ name: string; rows: string }>({ name: 'rows', text })
  return new Map(rows.map((row) => [row.name, row.rows]))
}

/** A text that changes with every object of the schema, with statistics for the planner, and when a table becomes large. */
async function readSchema(admin: Client): Promise<string> {
  const { rows } = await admin.query<{ schema: string }>({ name: 'schema', text: schemaStatement })
  return rows[0]?.schema ?? ''
}

/** Each change of an object writes a row of these catalogs, by a newer transaction. 16384: the first OID that is not the server's own. */
const schemaStatement = `select concat_ws(' ',
  ${Object.entries({
    pg_attribute: 'attrelid',
    pg_class: 'oid',
    pg_constraint: 'oid',
    pg_db_role_setting: 'setdatabase',
    pg_index: 'indexrelid',
    pg_proc: 'oid',
    pg_statistic: 'starelid',
    pg_trigger: 'oid',
  })
    .map(([name, oid]) => `(select count(*) || ' ' || max(xmin::text::bigint) from ${name} where ${oid} >= 16384),`)
    .join('\n')}
  (select count(*) from pg_namespace where nspname !~ '^pg_'),
  (select count(*) from pg_class
   where relnamespace = 'muster'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 1000000)) as schema`
