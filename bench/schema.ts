import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { copiedDatabase, startBenchServer } from './harness/databases.ts'
import { cpuMsOf, parentOf } from './harness/processes.ts'
import { type Figure, report } from './harness/report.ts'
import { loadBefore } from './harness/result.ts'
import { spreadOf } from './harness/spread.ts'

/**
 * What features cost that PostgreSQL has and several products that speak its language lack, beside what does the same without them: advisory
 * locks, transition tables, generated columns. docs/decisions/locks.md and docs/engines.md say what follows. Each figure is CPU of PostgreSQL,
 * measured in turn, which other programs on the machine change less than the time.
 * npm run bench -- schema [--pairs 5]
 */
const { values } = parseArgs({ options: { pairs: { type: 'string', default: '5' } }, allowPositionals: true })
const pairs = Number(values.pairs)
const accounts = 20_000
const manyRows = 10_000
const transactions = 1_000
const pages = 500

/** A trigger of rows beside the one of statements that is there; and the list in order of e-mail by a column and by an expression. */
const emailKey = `coalesce(lower(email collate "C"), '')`
const alternatives = `
create function row_changed() returns trigger language plpgsql as $$
begin
  perform tell_changed('account', array[new.id]);
  return null;
end $$;
create trigger account_row_updated after update on account for each row execute function row_changed();
alter table account disable trigger account_row_updated;
create table stored as select id, email, email_key from account;
create index on stored (email_key, id);
create table computed as select id, email from account;
create index on computed ((${emailKey}), id);
analyze stored;
analyze computed`

const load = loadBefore()
const server = await startBenchServer({ max_connections: '100' })
try {
  const url = await copiedDatabase(server, accounts, 'bench_schema')
  const clients = await Promise.all(Array.from({ length: 16 }, () => connect(url)))
  const [first] = clients
  if (!first) throw new Error('there is no connection')
  await first.query(alternatives)
  const { rows } = await first.query<{ pid: number }>('select pg_backend_pid() as pid')
  const serverPid = parentOf(rows[0]?.pid ?? 0)
  const figures = await figuresOf({ clients, first, serverPid })
  for (const client of clients) await client.end()
  await report('schema', figures, { load, pairs, accounts, manyRows, transactions, pages })
} finally {
  await server.stop()
}

interface Scene {
  readonly clients: readonly Client[]
  readonly first: Client
  readonly serverPid: number
}

async function connect(url: string): Promise<Client> {
  const client = new Client(url)
  await client.connect()
  return client
}

async function figuresOf(scene: Scene): Promise<Figure[]> {
  const { clients, first } = scene
  const { rows: found } = await first.query<{ id: string }>(`select id from account limit ${manyRows}`)
  const ids = found.map(({ id }) => id)
  const { rows: sizes } = await first.query<{ ratio: number }>(
    `select pg_total_relation_size('computed')::float8 / pg_total_relation_size('stored') as ratio`,
  )
  const advisory = `select pg_advisory_xact_lock(hashtext('bench'))`
  const row = `select lock_name('bench', null)`
  const both = `select lock_name('bench', array[hashtext('bench')]::bigint[])`
  const ofLocks = (some: readonly Client[], text: string) => compare(scene, locks(some, advisory), locks(some, text))
  const ofTriggers = (groups: readonly (readonly string[])[]) =>
    compare(scene, changes(first, groups, 'account_updated'), changes(first, groups, 'account_row_updated'))
  return [
    { what: 'a transaction that locks: a row, of an advisory lock', is: await ofLocks([first], row) },
    { what: 'the same, both of an advisory lock', is: await ofLocks([first], both) },
    { what: 'of 16 that wait for each other: a row, of an advisory lock', is: await ofLocks(clients, row) },
    {
      what: 'a change of one account: a trigger of rows, of one of statements',
      is: await ofTriggers(ids.slice(0, transactions).map((id) => [id])),
    },
    { what: `a change of ${manyRows} accounts: the same`, is: await ofTriggers([ids]) },
    {
      what: 'a page by e-mail: an index of the expression, of a stored column',
      is: await compare(scene, list(first, 'stored', 'email_key'), list(first, 'computed', emailKey)),
    },
    { what: 'size of table and index: the same', is: sizes[0]?.ratio ?? Number.NaN },
  ]
}

type Work = () => Promise<unknown>

/** CPU of the second by that of the first, in each pair. */
async function compare({ serverPid }: Scene, one: Work, other: Work) {
  const ratios: number[] = []
  for (let pair = 0; pair < pairs; pair += 1) {
    const cpu = [await cpuOf(serverPid, one), await cpuOf(serverPid, other)] as const
    ratios.push(cpu[1] / cpu[0])
  }
  return spreadOf(ratios)
}

async function cpuOf(pid: number, work: Work): Promise<number> {
  const before = cpuMsOf(pid)
  await work()
  return cpuMsOf(pid) - before
}

function locks(clients: readonly Client[], text: string): Work {
  const each = async (client: Client) => {
    for (let count = 0; count < transactions / clients.length; count += 1) {
      await client.query('begin')
      await client.query({ name: text, text })
      await client.query('commit')
    }
  }
  return () => Promise.all(clients.map(each))
}

function changes(client: Client, groups: readonly (readonly string[])[], trigger: string): Work {
  const text = `update account set first_session = 'bench' where id = any ($1::uuid[])`
  return async () => {
    await client.query('alter table account disable trigger account_updated, disable trigger account_row_updated')
    await client.query(`alter table account enable trigger ${trigger}`)
    for (const ids of groups) await client.query({ name: 'change', text, values: [ids] })
  }
}

function list(client: Client, table: string, key: string): Work {
  const text = `select id, email from ${table} where (${key}, id) > ('m', '00000000-0000-0000-0000-000000000000')
    order by ${key}, id limit 100`
  return async () => {
    for (let page = 0; page < pages; page += 1) await client.query({ name: table, text })
  }
}
