import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import type { BoundStatement } from '../src/platform/database/bound-statement.ts'
import { packageRoot } from '../src/platform/package-root.ts'
import { userDataStatement } from '../src/user-data/query.ts'
import { sortNames, sorts, type UsersFilters, type UsersSort } from '../src/users/filters.ts'
import { countStatement, listStatement } from '../src/users/list-all.ts'
import { pageStatement, type Scan } from '../src/users/list-page.ts'
import { populatedDatabase, startBenchServer } from './harness/databases.ts'

/**
 * Writes docs/generated/query-plans.md: the generic plans of the prepared statements of the list of users and of user data.
 * npm run bench -- query-plans [--users 1000000]
 */
const { values } = parseArgs({ options: { users: { type: 'string', default: '1000000' } } })
const users = Number(values.users)

const server = await startBenchServer()
const client = new Client(await populatedDatabase(server, users))
await client.connect()
await client.query('set plan_cache_mode = force_generic_plan')
const { rows: found } = await client.query<{ org: string; version: string }>(`
  select current_setting('server_version') as version,
         (select organization_id from membership group by 1 order by count(*) desc limit 1) as org`)
const [{ org, version } = { org: '', version: '' }] = found

const parts = [
  `# Query plans

Written by \`npm run bench -- query-plans\` over a population of ${users.toLocaleString('en')} accounts and ${Math.ceil(users / 10).toLocaleString('en')} organisations (\`muster seed\`),
PostgreSQL ${version}, ${new Date().toISOString().slice(0, 10)}. Each is the generic plan of the prepared statement, which the planner chooses
without looking at the values; only the part that finds the page is shown. Times are from one run on a busy machine: compare the
nodes, the rows and the buffers.`,
]

const columnFilters: Readonly<Record<string, UsersFilters>> = {
  'no filter': {},
  'role=admin': { role: 'admin' },
  'status=disabled': { status: 'disabled' },
  'role=user & status=active': { role: 'user', status: 'active' },
}
for (const [title, filters] of Object.entries(columnFilters))
  for (const sort of sortNames) await explainPage(title, filters, sort, 'index_scan_2k')
const searches: readonly (readonly [string, UsersFilters])[] = [
  ['email=corp.example (one in twenty)', { email: 'corp.example' }],
  ['email=no.such.person', { email: 'no.such.person' }],
  ['email=qz (two characters, none)', { email: 'qz' }],
  ['email=777 (four thousand)', { email: '777' }],
  ['orgId of the largest organisation', { orgId: org }],
  ['orgId & email', { orgId: org, email: 'zuzanna' }],
]
for (const [title, filters] of searches)
  for (const sort of ['created', '-email'] as const)
    for (const scan of ['index_scan_2k', 'index_scan_20k', 'filter_index', 'full_scan'] as const)
      await explainPage(title, filters, sort, scan)
await explain('Whole list, sort=created', listStatement({ filters: {}, sort: 'created', format: 'json' }), 'streamed')
await explain('count=exact', countStatement({}))
await explain('count=exact & status=disabled', countStatement({ status: 'disabled' }))
await explain('User data of ten callers in one batch', await userDataOfTen())
await client.end()
await server.stop()
writeFileSync(join(packageRoot(), 'docs/generated/query-plans.md'), `${parts.join('\n\n')}\n`)

async function explainPage(title: string, filters: UsersFilters, sort: UsersSort, scan: Scan) {
  const question = { filters, sort, after: sorts[sort].start, limit: 100, format: 'json' } as const
  await explain(`${title}, sort=${sort}, ${scan}`, pageStatement(question, scan), 'matched')
}

async function userDataOfTen(): Promise<BoundStatement> {
  const { rows } = await client.query<{ issuer: string; subject: string }>(
    'select issuer, subject from identity order by md5(subject) limit 10',
  )
  const nothing = rows.map(() => null)
  const values = [rows.map((row) => row.issuer), rows.map((row) => row.subject), nothing, nothing, nothing]
  return { statement: userDataStatement, values }
}

/** `show` names the part to show: a common table expression, or everything. */
async function explain(title: string, { statement, values: given }: BoundStatement, show?: 'matched' | 'streamed') {
  await client.query(`prepare explained as ${statement.text}`)
  const literals = given.map(literal).join(', ')
  const limit = show === 'streamed' ? 'explain' : 'explain (analyze, buffers, costs off, summary on)'
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `${limit} execute explained${given.length > 0 ? `(${literals})` : ''}`,
  )
  await client.query('deallocate explained')
  const lines = rows.map((row) => row['QUERY PLAN'])
  parts.push(`## ${title}\n\n\`\`\`\n${(show === 'matched' ? partOf(lines) : lines).join('\n')}\n\`\`\``)
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  // An array of nulls has no type; as text it fits every parameter.
  if (Array.isArray(value) && value.every((member) => member === null))
    return `'{${value.map(() => 'null').join(',')}}'`
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`
  return client.escapeLiteral(String(value))
}

/** The node that makes `found`, with everything below it, and the times at the end. */
function partOf(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => /^\s*CTE found/.test(line))
  const indent = lines[start]?.search(/\S/) ?? 0
  const length = lines.slice(start + 1).findIndex((line) => line.search(/\S/) <= indent)
  const matched = lines.findIndex((line) => /^\s*CTE matched/.test(line))
  const before = matched >= 0 ? lines.slice(matched, start) : []
  return [
    ...before,
    ...lines.slice(start, start + 1 + length),
    ...lines.filter((line) => /^(Planning|Execution) Time/.test(line)),
  ]
}
