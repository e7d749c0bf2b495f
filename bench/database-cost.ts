import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { asSuperuser, copiedDatabase, populatedDatabase, startBenchServer } from './harness/databases.ts'
import { getRequest, type Load, startLoad } from './harness/load.ts'
import { cpuMsOf, parentOf } from './harness/processes.ts'
import { type Figure, report } from './harness/report.ts'
import { loadBefore } from './harness/result.ts'
import { startBenchService } from './harness/service.ts'
import { spreadOf } from './harness/spread.ts'

/**
 * What accounts and operations cost the database: its size, CPU of PostgreSQL, and bytes of the write-ahead log. `npm run simulate` computes
 * with it. Times on the clock are not measured, so that a machine with other work can do it.
 * npm run bench -- database-cost [--users 1000000] [--rounds 5]
 */
const { values } = parseArgs({
  options: { users: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
})
const users = Number(values.users)
const rounds = Number(values.rounds)
const callers = 900
const connections = 16
const changes = 2_000
const changedUsers = 20_000
const tables = ['account', 'identity', 'membership', 'subscription', 'customer', 'organization'] as const

const load = loadBefore()
const server = await startBenchServer()
const driver = startLoad({ connections })
try {
  const url = await populatedDatabase(server, users)
  const sizes = await sizesOf(url)
  const operations = await costOfOperations(url, driver)
  const change = await costOfChange(await copiedDatabase(server, changedUsers, 'bench_database_cost'))
  await report('database-cost', [...figuresOf(sizes), ...operations, ...change], {
    load,
    users,
    rounds,
    connections,
    sizes,
  })
} finally {
  driver.stop()
  await server.stop()
}

interface TableSize {
  readonly table: string
  readonly rows: number
  readonly tableBytes: number
  readonly indexBytes: number
}

interface Sizes {
  readonly databaseBytes: number
  readonly tables: readonly TableSize[]
}

async function sizesOf(url: string): Promise<Sizes> {
  return withClient(url, async (client) => {
    const found: TableSize[] = []
    for (const table of tables) {
      const { rows } = await client.query<Omit<TableSize, 'table'>>(
        `select (select count(*) from ${table})::int as rows, pg_table_size('${table}')::float8 as "tableBytes",
                pg_indexes_size('${table}')::float8 as "indexBytes"`,
      )
      found.push(...rows.map((row) => ({ table, ...row })))
    }
    const { rows } = await client.query<{ bytes: number }>(
      'select pg_database_size(current_database())::float8 as bytes',
    )
    return { databaseBytes: rows[0]?.bytes ?? Number.NaN, tables: found }
  })
}

function figuresOf({ databaseBytes, tables: found }: Sizes): readonly Figure[] {
  return [
    { what: 'whole database, for each account', is: Math.round(databaseBytes / users), unit: ' bytes' },
    ...found.flatMap(({ table, rows, tableBytes, indexBytes }) => [
      { what: `${table}: table, for each row`, is: Math.round(tableBytes / rows), unit: ' bytes' },
      { what: `${table}: indexes, for each row`, is: Math.round(indexBytes / rows), unit: ' bytes' },
    ]),
  ]
}

/** CPU of PostgreSQL for a call that the cache does not answer, and for a page of the list of users. */
async function costOfOperations(url: string, { run }: Load): Promise<readonly Figure[]> {
  const service = await startBenchService(url, { MUSTER_CACHE_MIB: '0' })
  try {
    const pid = await serverPidOf(url)
    const tokens = await service.tokens(callers)
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    const reads = tokens.map((token) => getRequest('/api/v1/user/data', bearer(token)))
    const pages = [getRequest('/api/v1/admin/users/fetch?limit=100', bearer(service.token))]
    const idle = await idleCpuMsPerSecond(pid)
    const cost = async (requests: readonly string[]) => {
      const cpuUs: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        // The load measures the process with this number: here PostgreSQL.
        const { answers, seconds, cpuMs } = await run({ url: service.url, pid }, requests)
        cpuUs.push(((cpuMs - idle * seconds) * 1_000) / answers)
      }
      return spreadOf(cpuUs)
    }
    return [
      { what: 'CPU of PostgreSQL for a read of user data, 16 at once', is: await cost(reads), unit: ' µs' },
      { what: 'CPU of PostgreSQL for a page of 100 users', is: await cost(pages), unit: ' µs' },
    ]
  } finally {
    await service.stop()
  }
}

/** The service looks at the changes all the time. */
async function idleCpuMsPerSecond(pid: number): Promise<number> {
  const before = cpuMsOf(pid)
  await setTimeout(2_000)
  return (cpuMsOf(pid) - before) / 2
}

/** Of a change of one account in a transaction of its own, while no node looks. */
async function costOfChange(url: string): Promise<readonly Figure[]> {
  return withClient(url, async (client) => {
    const ids = (await client.query<{ id: string }>('select id from account limit $1', [changes])).rows
    await client.query('truncate change_event_0, change_event_1, change_event_2')
    await asSuperuser(server, (admin) => admin.query('checkpoint'))
    const from = await walBytes(client)
    for (const { id } of ids) await client.query('update account set role_id = role_id where id = $1', [id])
    const wal = (await walBytes(client)) - from
    const { rows } = await client.query<{ bytes: number }>(
      `select sum(pg_total_relation_size(c))::float8 as bytes
       from unnest('{change_event_0,change_event_1,change_event_2}'::regclass[]) c`,
    )
    return [
      { what: 'write-ahead log for a change, after a checkpoint', is: Math.round(wal / changes), unit: ' bytes' },
      { what: 'event of a change', is: Math.round((rows[0]?.bytes ?? Number.NaN) / changes), unit: ' bytes' },
    ]
  })
}

async function walBytes(client: Client): Promise<number> {
  const { rows } = await client.query<{ at: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as at`,
  )
  return rows[0]?.at ?? Number.NaN
}

async function serverPidOf(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return parentOf(rows[0]?.pid ?? 0)
  })
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
