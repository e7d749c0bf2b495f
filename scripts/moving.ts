/**
 * Moves many users from the embedded PostgreSQL to a server of another version with `muster backup` and `muster
 * restore`, compares every table, and signs earlier users in. Kills both commands in the middle with `kill -9`, and
 * repeats them.
 * Run: `node scripts/moving.ts [accounts] [--programs <folder>]`.
 * Exits with 1 if anything differs. A million users take 6 GB in the temporary directory and half an hour on two busy
 * cores.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client, type ClientConfig } from 'pg'
import { pino } from 'pino'
import { startEmbedded } from '../embedded/index.ts'
import { defaultSchema } from '../src/platform/database/link.ts'
import { packageRoot } from '../src/platform/package-root.ts'
import { startOldPostgres } from '../test/support/old-postgres.ts'
import { contentOf, schemaOf } from '../test/support/rows-and-schema.ts'
import { environmentOf } from './faults/node.ts'
import { openStage, type Stage } from './faults/stage.ts'
import { until } from './faults/wait.ts'
import { enrolPerson, type MovedPerson, visit } from './moving-person.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { programs: { type: 'string', default: '/usr/lib/postgresql/15/bin' } },
})
const accounts = Number(positionals[0] ?? 1_000_000)
/** Of `backup` and of `restore`, for any number of users. */
const peakMibMax = 200

/** Like a payment processor's event would store them. */
const subscriptions = `
with paying as (
  insert into customer (id, account_id) select 'cus_' || email, id from account where email like '%@moved.example' returning id)
insert into subscription (id, customer_id, price_ids, product_name, status, created_at, seen_at, seen_rank)
select 'sub_' || id, id, '{price_demo_pro_monthly}', 'Pro', 'active', now(), now(), 0 from paying`

let differences = 0
const stage = await openStage()
try {
  await move(stage)
} finally {
  await stage.close()
}
console.log(`\n${accounts} accounts moved, ${differences} differences`)
process.exitCode = differences === 0 ? 0 : 1

async function move(stage: Stage): Promise<void> {
  const dataDir = join(stage.folder, 'embedded')
  const source = environmentOf({ env: { MUSTER_DATA_DIR: dataDir } })
  const people = await populate(stage, source, dataDir)
  const look = () => embeddedIn(dataDir, async (sql) => ({ rows: await contentOf(sql), schema: await schemaOf(sql) }))
  const before = await timed('read every table of the embedded database', look)
  const server = await startOldPostgres(values.programs, { isDurable: true })
  stage.onEnd(() => server.stop())
  const compare = async (url: string) => {
    const after = await byUrl(url, async (sql) => ({ rows: await contentOf(sql), schema: await schemaOf(sql) }))
    for (const [table, content] of Object.entries(before.rows))
      check(`${table}: ${content.split(' ')[0]} rows are equal`, after.rows[table] === content)
    check('constraints, indexes, triggers and sequences are equal', `${after.schema}` === `${before.schema}`)
  }

  console.log(`\nbackup, and restore into PostgreSQL ${server.version}`)
  const file = join(stage.folder, 'first.backup')
  measured('backup', await muster(['backup', file], source))
  const { size } = await stat(file)
  console.log(`the file has ${(size / 1e6).toFixed(0)} MB`)
  measured('restore', await muster(['restore', file], environmentOf({ databaseUrl: server.url })))
  await compare(server.url)

  console.log('\nboth killed in the middle, and repeated')
  const again = join(stage.folder, 'again.backup')
  const draft = `${again}.unfinished`
  await killMuster(['backup', again], source, () => existsSync(draft) && statSync(draft).size > size / 4)
  check('a backup that was killed leaves no file under its name', !existsSync(again))
  measured('backup', await muster(['backup', again], source))
  const url = await server.newDatabase()
  const target = environmentOf({ databaseUrl: url })
  for (const phase of ['copy "account"%', 'CREATE %INDEX %']) {
    await killRestore(again, target, url, phase)
    const [row] = await byUrl(url, (sql) => sql<{ n: number }>('select count(*)::int as n from account'))
    check(`a restore that was killed during ${phase} leaves no account`, row?.n === 0)
  }
  measured('restore', await muster(['restore', again], target))
  await compare(url)
  await visitAll(stage, url, people)
}

/** Many seeded users, and users with all kinds of data. */
async function populate(stage: Stage, source: Record<string, string>, dataDir: string): Promise<MovedPerson[]> {
  await muster(['migrate'], source)
  measured(`seed of ${accounts} accounts`, await muster(['seed', '--users', String(accounts)], source))
  const node = await stage.node({ env: { MUSTER_DATA_DIR: dataDir } })
  const people: MovedPerson[] = []
  for (const name of ['ada', 'grace', 'edsger']) {
    const [email, password] = [`${name}@moved.example`, `correct horse of ${name}`]
    await muster(['users', 'create', '--email', email], source, password)
    people.push(await enrolPerson(node.url, { email, password }))
  }
  await node.stop()
  await embeddedIn(dataDir, (sql) => sql(subscriptions))
  return people
}

/** `phase`: the beginning of the statement during which it is killed. */
async function killRestore(file: string, env: Record<string, string>, url: string, phase: string): Promise<void> {
  await byUrl(url, async (sql) => {
    const text = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    await killMuster(['restore', file], env, async () => {
      const running = await sql(`${text} and state = 'active' and query like '${phase}'`)
      return running.length > 0
    })
    await until('the server has ended the transaction', 300, async () => (await sql(text)).length === 0)
  })
}

async function visitAll(stage: Stage, databaseUrl: string, people: readonly MovedPerson[]): Promise<void> {
  const { url } = await stage.node({ databaseUrl })
  for (const person of people) {
    const seen = await visit(url, person)
    const isWhole = seen.every(
      ({ subscription, mfaFactors: [factor, ...more] }) =>
        subscription.plan_id === 'pro' &&
        subscription.status === 'active' &&
        factor?.friendlyName === 'Phone' &&
        more.length === 0,
    )
    check(`${person.email}: access token, refresh token, password, second factor and subscription`, isWhole)
  }
}

function check(what: string, holds: boolean): void {
  if (!holds) differences += 1
  console.log(`${holds ? 'ok       ' : 'DIFFERENT'} ${what}`)
}

function measured(what: string, { seconds, peakMib }: Ran): void {
  console.log(`${what}: ${seconds.toFixed(1)} s, at most ${peakMib.toFixed(0)} MiB of memory`)
  if (/^(backup|restore)/.test(what)) check(`${what} needs no more than ${peakMibMax} MiB`, peakMib <= peakMibMax)
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await work()
  console.log(`${what}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
  return result
}

type Environment = Readonly<Record<string, string>>

interface Ran {
  readonly seconds: number
  /** The peak memory of the process, without PostgreSQL. */
  readonly peakMib: number
}

/** Runs the built command, which must succeed. */
async function muster(args: readonly string[], env: Environment, input = ''): Promise<Ran> {
  const startedAt = performance.now()
  const child = start(args, env)
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (piece) => {
    said += piece
  })
  child.stdin?.end(input)
  const ended = once(child, 'close')
  let peakMib = 0
  while (isRunning(child)) {
    peakMib = Math.max(peakMib, peakOf(child))
    await Promise.race([ended, setTimeout(100)])
  }
  await ended
  if (child.exitCode !== 0) throw new Error(`muster ${args.join(' ')} ended with ${child.exitCode}: ${said}`)
  return { seconds: (performance.now() - startedAt) / 1_000, peakMib }
}

/** Kills the command with `kill -9` as soon as the condition holds. */
async function killMuster(
  args: readonly string[],
  env: Environment,
  isInTheMiddle: () => boolean | Promise<boolean>,
): Promise<void> {
  const child = start(args, env)
  child.stderr?.resume()
  const ended = once(child, 'close')
  while (isRunning(child) && !(await isInTheMiddle())) await setTimeout(2)
  child.kill('SIGKILL')
  await ended
  if (child.signalCode !== 'SIGKILL') throw new Error(`muster ${args.join(' ')} ended before it was killed`)
}

function start(args: readonly string[], env: Environment): ChildProcess {
  return spawn(process.execPath, [join(packageRoot(), 'dist/bundle/muster.cjs'), ...args], {
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

/** 0 if it has exited, or if the system does not report it. */
function peakOf({ pid }: ChildProcess): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}

type Sql = <Row extends object>(text: string) => Promise<Row[]>

/** Runs `work` on the database at this address. */
function byUrl<T>(connectionString: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  return inClient({ connectionString }, work)
}

/** Runs `work` on the embedded database in this directory, whose server runs meanwhile. */
async function embeddedIn<T>(dataDir: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const server = await startEmbedded({ dataDir, mode: 'join', log: pino({ level: 'silent' }) })
  try {
    return await inClient({ connectionString: server.url }, work)
  } finally {
    await server.close()
  }
}

async function inClient<T>(config: ClientConfig, work: (sql: Sql) => Promise<T>): Promise<T> {
  // Rows are compared as text, which must not depend on the settings of two servers.
  const client = new Client({
    ...config,
    options: `-c search_path=${defaultSchema} -c timezone=UTC -c datestyle=ISO,YMD -c statement_timeout=0`,
  })
  await client.connect()
  try {
    return await work(async <Row extends object>(text: string) => (await client.query<Row>(text)).rows)
  } finally {
    await client.end()
  }
}
