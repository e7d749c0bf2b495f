import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { packageRoot } from '../src/platform/package-root.ts'
import { userDataStatement } from '../src/user-data/query.ts'
import {
  type Asked,
  countStatement,
  listStatement,
  type PageQuestion,
  pageStatement,
  startOf,
  type UsersFilters,
  type UsersSort,
} from '../src/users/list-sql.ts'
import { populated, startBenchServer } from './harness/databases.ts'

/**
 * Writes docs/generated/query-plans.md: the plan of the statements of the listing and of user data, as prepared statements run them at last (generic plans).
 * npm run bench -- query-plans [--users 1000000]
 */
const { values } = parseArgs({ options: { users: { type: 'string', default: '1000000' } } })
const users = Number(values.users)

const server = await startBenchServer()
const client = new Client(await populated(server, users))
await client.connect()
await client.query('set plan_cache_mode = force_generic_plan')
const { rows: found } = await client.query<{ issuer: string; subject: string; org: string; version: string }>(`
  select i.issuer, i.subject, current_setting('server_version') as version,
         (select organization_id from membership group by 1 order by count(*) desc limit 1) as org
  from account a join identity i on i.account_id = a.id where a.role_id = 'admin' and not a.is_disabled limit 1`)
const [{ issuer, subject, org, version } = { issuer: '', subject: '', org: '', version: '' }] = found

const parts = [
  `# Query plans

Written by \`npm run bench -- query-plans\` over a population of ${users.toLocaleString('en')} accounts and ${Math.ceil(users / 10).toLocaleString('en')} organisations (\`muster seed\`),
PostgreSQL ${version}, ${new Date().toISOString().slice(0, 10)}. Each is the generic plan of the prepared statement, the one that is left when the
planner no longer looks at the values; the part that finds the page is shown. Times are of one run on a busy machine: read the
nodes, the rows and the buffers.`,
]

const sorts: readonly UsersSort[] = ['created', '-created', 'email', '-email']
const filters: Readonly<Record<string, UsersFilters>> = {
  'no filter': {},
  'role=admin': { role: 'admin' },
  'status=disabled': { status: 'disabled' },
  'role=user & status=active': { role: 'user', status: 'active' },
}
for (const [title, filter] of Object.entries(filters)) for (const sort of sorts) await page(title, filter, sort, 'walk')
const searches: readonly (readonly [string, UsersFilters])[] = [
  ['email=corp.example (one in twenty)', { email: 'corp.example' }],
  ['email=nobody.at.all', { email: 'nobody.at.all' }],
  ['email=qz (short, nobody)', { email: 'qz' }],
  ['email=777 (four thousand)', { email: '777' }],
  ['orgId of the largest organisation', { orgId: org }],
  ['orgId & email', { orgId: org, email: 'zuzanna' }],
]
for (const [title, filter] of searches)
  for (const sort of ['created', '-email'] as const)
    for (const way of ['glance', 'walk', 'gather', 'trek'] as const) await page(title, filter, sort, way)
await tell('Whole list, sort=created', listStatement({}, 'created', 'json'), 'streamed')
await tell('count=exact', countStatement({}))
await tell('count=exact & status=disabled', countStatement({ status: 'disabled' }))
await tell('User data of ten callers who came together', await userDataOfTen())
await client.end()
await server.stop()
writeFileSync(join(packageRoot(), 'docs/generated/query-plans.md'), `${parts.join('\n\n')}\n`)

async function page(title: string, filter: UsersFilters, sort: UsersSort, way: PageQuestion['way']) {
  const caller = [issuer, subject, null, null]
  const question = {
    caller,
    filters: filter,
    sort,
    after: startOf[sort],
    limit: 100,
    format: 'json',
  } as const
  await tell(`${title}, sort=${sort}, ${way}`, pageStatement({ ...question, way }), 'matched')
}

async function userDataOfTen(): Promise<Asked> {
  const { rows } = await client.query<{ issuer: string; subject: string }>(
    'select issuer, subject from identity order by md5(subject) limit 10',
  )
  const nothing = rows.map(() => null)
  const values = [rows.map((row) => row.issuer), rows.map((row) => row.subject), nothing, nothing, nothing]
  return { statement: userDataStatement, values }
}

/** `show` names the part to show: a common table expression, or everything. */
async function tell(title: string, { statement, values: given }: Asked, show?: 'matched' | 'streamed') {
  await client.query(`prepare asked as ${statement.text}`)
  const literals = given.map(literal).join(', ')
  const limit = show === 'streamed' ? 'explain' : 'explain (analyze, buffers, costs off, summary on)'
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `${limit} execute asked${given.length > 0 ? `(${literals})` : ''}`,
  )
  await client.query('deallocate asked')
  const lines = rows.map((row) => row['QUERY PLAN'])
  parts.push(`## ${title}\n\n\`\`\`\n${(show === 'matched' ? partOf(lines) : lines).join('\n')}\n\`\`\``)
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  // Without a value there is none that would tell the type: as text, which fits all of them.
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
