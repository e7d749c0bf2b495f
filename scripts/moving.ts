/**
 * Moves many users from the embedded PostgreSQL to a server of another version with `muster backup` and `muster
 * restore`, compares every table, and signs earlier users in. Kills both commands in the middle with `kill -9`, and
 * repeats them.
 * Run: `node scripts/moving.ts [accounts] [--programs <folder>]`.
 * Exits with 1 if anything differs. A million users take 6 GB in the temporary directory and half an hour on two busy
 * cores.
 */
import { existsSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startOldPostgres } from '../test/support/old-postgres.ts'
import { contentOf, schemaOf } from '../test/support/rows-and-schema.ts'
import { environmentOf } from './faults/node.ts'
import { openStage, type Stage } from './faults/stage.ts'
import { until } from './faults/wait.ts'
import { killMuster, muster, type Ran } from './moving/command.ts'
import { byUrl, embeddedIn } from './moving/databases.ts'
import { enrolPerson, type MovedPerson, visit } from './moving/person.ts'

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
insert into subscription (id, customer_id, price_id, product_name, status, created_at, seen_at, seen_rank)
select 'sub_' || id, id, 'price_demo_pro_monthly', 'Pro', 'active', now(), now(), 0 from paying`

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
