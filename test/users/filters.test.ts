import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addFilterOptions, exportUsers, filtersOf } from '../../cli/commands/export.ts'
import {
  type AnyFilter,
  type FilterName,
  filterNames,
  filterParameters,
  filters,
  sortNames,
  sorts,
  type UsersFilters,
  type UsersSort,
} from '../../src/users/filters.ts'
import { countStatement, listStatement } from '../../src/users/list-all.ts'
import { listFormats } from '../../src/users/list-formats.ts'
import { pageStatement, type Scan } from '../../src/users/list-page.ts'
import { type Person, type Service, startService } from '../support/service.ts'

/** An account as the tests describe it, without SQL. */
interface Account {
  readonly id: string
  readonly email: string | null
  readonly name: string | null
  readonly role: string
  readonly disabled: boolean
  readonly proved: boolean
  readonly createdAt: string
  readonly orgIds: readonly string[]
  /** Not covered by a filter of their own. docs/contributing/add-a-filter.md adds one. */
  readonly issuers: readonly string[]
}

interface Sample<Value> {
  /** The first two match at least two accounts each, and not all of them. Of a unique filter, each matches one. */
  values(accounts: readonly Account[]): readonly [Value, Value, ...Value[]]
  fits(account: Account, value: Value): boolean
  readonly isUnique?: true
}

/** Sample values and the meaning of every filter. A missing filter does not compile. */
const samples: { readonly [Name in FilterName]: Sample<NonNullable<UsersFilters[Name]>> } = {
  email: {
    values: () => ['a', 'X.EXA', 'ab@', '%'],
    fits: ({ email }, part) => (email ?? '').toLowerCase().includes(part.toLowerCase()),
  },
  q: {
    values: () => ['Gr', 'x.EXA', 'MÜLLER', '%', 'hopper\n'],
    fits: ({ name, email }, part) =>
      [name, email].some((text) => (text ?? '').toLowerCase().includes(part.toLowerCase())),
  },
  role: { values: () => ['user', 'admin', 'nobody'], fits: ({ role }, wanted) => role === wanted },
  administrator: {
    values: () => ['true', 'false'],
    fits: ({ role, disabled }, wanted) => (role === 'admin' && !disabled) === (wanted === 'true'),
  },
  orgId: {
    values(accounts) {
      const [first = '', second = ''] = new Set(accounts.flatMap(({ orgIds }) => orgIds))
      return [first, second, '00000000-0000-4000-8000-000000000000']
    },
    fits: ({ orgIds }, wanted) => orgIds.includes(wanted),
  },
  status: {
    values: () => ['active', 'disabled'],
    fits: ({ disabled }, wanted) => disabled === (wanted === 'disabled'),
  },
  emailProved: {
    values: () => ['true', 'false'],
    fits: ({ proved }, wanted) => String(proved) === wanted,
  },
  identity: {
    isUnique: true,
    values(accounts) {
      const [first = '', second = ''] = accounts.flatMap(({ id, issuers }) => (issuers.length > 0 ? [id] : []))
      const at = (subject: string) => ({ issuer: accounts.find(({ id }) => id === subject)?.issuers[0] ?? '', subject })
      return [at(first), at(second), { issuer: 'https://unknown.example.com', subject: first }]
    },
    fits: ({ id, issuers }, { issuer, subject }) => id === subject && issuers.includes(issuer),
  },
}

const path = '/api/v1/admin/users/fetch'
const scans: readonly Scan[] = ['index_scan_2k', 'index_scan_40k', 'start_range', 'filter_index', 'full_scan']

let service: Service
let admin: Person
let accounts: readonly Account[]

beforeAll(async () => {
  // More reads than one caller usually may make, because the number of combinations grows with every filter.
  service = await startService({ env: { MUSTER_READS_PER_MINUTE: '1000000', MUSTER_EXPORTS_MAX: '8' } })
  admin = await service.person({ role: 'admin', email: 'root@y.example' })
  // Accounts with equal times and emails differ in one property each, so that every combination of filters separates
  // them.
  await service.sql(`
    insert into account (display_name, email, role_id, created_at, disabled_at)
    select case n % 5 when 1 then 'Grace Hopper' when 2 then 'Müller, Greta' end,
           case when n % 6 > 0 then chr(97 + n % 3) || case when n % 2 = 0 then 'b' else 'B' end || n || '@' ||
                  case when n % 4 = 0 then 'y' else 'x' end || '.example' end,
           case when n % 5 < 2 then 'admin' else 'user' end, timestamptz '2026-01-01' + n % 7 * interval '1 s',
           case when n % 7 < 3 then now() end
    from generate_series(1, 48) n`)
  await service.sql(`insert into account (email) values ('ab@x.example'), ('Ab@z.example'), (null)`)
  await service.sql(`update account set email_proved_at = now(), email_proved_by = 'link' where email ~ '[0-36]@|^ab@'`)
  await service.sql(`insert into organization (name) values ('One'), ('Two')`)
  await service.sql(`insert into membership (organization_id, account_id)
    select o.id, a.id from organization o,
      (select id, row_number() over (order by created_at, id) as n from account) a
    where case o.name when 'One' then a.n % 2 = 0 else a.n % 3 = 0 end`)
  await service.sql(`insert into identity (issuer, subject, account_id)
    select case when n % 2 = 0 then 'https://id.example.com' else 'https://other.example.com' end, id, id
    from (select id, row_number() over (order by created_at, id) as n from account where email like '%@x%') a`)
  accounts = await service.sql<Account>(`
    select a.id, a.email, a.display_name as name, a.role_id as role, a.disabled_at is not null as disabled,
           a.email_proved_at is not null as proved, to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as "createdAt",
           array(select m.organization_id from membership m where m.account_id = a.id order by 1) as "orgIds",
           array(select i.issuer from identity i where i.account_id = a.id) as issuers
    from account a`)
})
afterAll(() => service.stop())

/** The filters in plain TypeScript. */
function expected(wanted: UsersFilters, sort: UsersSort): readonly string[] {
  const fitting = accounts.filter((account) => filterNames.every((name) => fits(account, name, wanted)))
  const keyOf = (account: Account) =>
    sort.endsWith('created') ? account.createdAt : (account.email ?? '').toLowerCase()
  const ordered = fitting.map((account) => [keyOf(account), account.id] as const).sort(compare)
  return (sort.startsWith('-') ? ordered.reverse() : ordered).map(([, id]) => id)
}

function fits<Name extends FilterName>(account: Account, name: Name, wanted: UsersFilters): boolean {
  const value = wanted[name]
  return value === undefined || samples[name].fits(account, value)
}

function compare(a: readonly [string, string], b: readonly [string, string]): number {
  return Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0])) || (a[1] < b[1] ? -1 : 1)
}

/** No filter, each alone with every sample, each pair, and all. */
function filterSets(): readonly UsersFilters[] {
  const first = (name: FilterName) => ({ [name]: samples[name].values(accounts)[0] })
  const singles = filterNames.flatMap((name) => samples[name].values(accounts).map((value) => ({ [name]: value })))
  const pairs = filterNames.flatMap((one, index) =>
    filterNames.slice(index + 1).map((other) => ({ ...first(one), ...first(other) })),
  )
  return [{}, ...singles, ...pairs, Object.assign({}, ...filterNames.map(first))]
}

function queryOf(wanted: UsersFilters, more: Readonly<Record<string, string>> = {}): string {
  const { identity, ...others } = wanted
  const parameters = JSON.parse(JSON.stringify({ ...others, ...identity })) as Record<string, string>
  return String(new URLSearchParams({ ...parameters, ...more }))
}

async function ask(query: string, accept = 'application/json') {
  const answer = await service.get(`${path}?${query}`, { token: admin.token, headers: { accept } })
  expect([query, answer.status]).toEqual([query, 200])
  return answer
}

function idsOf(body: unknown): readonly string[] {
  return (body as { users: { id: string }[] }).users.map(({ id }) => id)
}

function idsOfLines(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).id as string]))
}

function idsOfCsv(text: string): readonly string[] {
  return text.split('\r\n').flatMap((line) => /^"([0-9a-f-]{36})"/.exec(line)?.[1] ?? [])
}

function nextOf(link: unknown): string | undefined {
  return /^<[^?]+\?(.+)>; rel="next"$/.exec(String(link ?? ''))?.[1]
}

async function pagesOf(query: string): Promise<readonly string[]> {
  const ids: string[] = []
  let next: string | undefined = `${query}&limit=11`
  while (next !== undefined) {
    const { body, headers } = await ask(next)
    ids.push(...idsOf(body))
    next = nextOf(headers.link)
  }
  return ids
}

test('the samples of every filter separate the accounts', () => {
  for (const name of filterNames) {
    const values = samples[name].values(accounts)
    for (const value of values.slice(0, 2)) {
      const found = expected({ [name]: value }, 'created').length
      const isRight = samples[name].isUnique ? found === 1 : found >= 2 && found < accounts.length
      expect([name, value, isRight]).toEqual([name, value, true])
    }
  }
  for (const schema of Object.values(filterParameters))
    expect(schema).toHaveProperty('description', expect.stringMatching(/\w{3,}/))
})

test.each(sortNames)(
  'pages, full list, count, NDJSON and CSV agree with a plain filter, for every filter and a quarter of the pairs, sorted by %s',
  async (sort) => {
    // The next test has every pair with every sort.
    const isTurn = (index: number) => index % sortNames.length === sortNames.indexOf(sort)
    const isPair = (wanted: UsersFilters) => Object.keys(wanted).length === 2
    const sets = filterSets().filter((wanted, index) => !isPair(wanted) || isTurn(index))
    for (const wanted of sets) {
      const query = queryOf(wanted, { sort })
      const [whole, pages, ndjson, csv] = await Promise.all([
        ask(`${query}&count=exact`),
        pagesOf(query),
        ask(query, 'application/x-ndjson'),
        ask(query, 'text/csv'),
      ])
      const found = {
        query,
        whole: idsOf(whole.body),
        count: Number(whole.headers['total-count']),
        pages,
        ndjson: idsOfLines(ndjson.text),
        csv: idsOfCsv(csv.text),
      }
      const ids = expected(wanted, sort)
      expect(found).toEqual({ query, whole: ids, count: ids.length, pages: ids, ndjson: ids, csv: ids })
    }
  },
)

test('every scan finds the same page, for every pair of filters and every sort', async () => {
  for (const wanted of filterSets())
    for (const sort of sortNames)
      for (const scan of scans) {
        const question = { filters: wanted, sort, after: sorts[sort].start, limit: 5, format: 'ndjson' } as const
        const { statement, values } = pageStatement(question, scan)
        const [row] = await service.database.query<{ rows: string | null; complete: boolean }>(statement, values)
        // Too few emails start like the search term.
        if (scan === 'start_range' && row?.complete === false) continue
        const ids = expected(wanted, sort).slice(0, 5)
        expect({ wanted, scan, ids: idsOfLines(row?.rows ?? ''), complete: row?.complete }).toEqual({
          wanted,
          scan,
          ids,
          complete: true,
        })
      }
})

test('muster export has an option for every filter that finds several users, and writes the same users', async () => {
  vi.stubEnv('DATABASE_URL', service.fresh.url)
  vi.stubEnv('MUSTER_ENCRYPTION_KEY', randomBytes(32).toString('base64'))
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const folder = await mkdtemp(join(tmpdir(), 'muster-export-'))
  try {
    const sets = filterSets().filter(({ identity }) => identity === undefined)
    for (const [index, wanted] of sets.entries()) {
      const command = addFilterOptions(new Command())
      command.parse(argumentsOf(wanted), { from: 'user' })
      expect(filtersOf(command.opts())).toEqual(wanted)
      // Each export opens the database again, so formats and sorts alternate.
      const sort = sortNames[index % sortNames.length] ?? 'created'
      const ending = (['json', 'ndjson', 'csv'] as const)[index % 3] ?? 'json'
      const file = join(folder, `${index}.${ending}`)
      await exportUsers(file, { ...command.opts(), sort })
      const text = await readFile(file, 'utf8')
      const ids = readers[ending](text)
      expect({ wanted, ids }).toEqual({ wanted, ids: expected(wanted, sort) })
    }
  } finally {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true })
  }
})

test('muster export rejects a value that the API rejects, and names the option', () => {
  const command = addFilterOptions(new Command())
  command.parse(['--org', 'Engines'], { from: 'user' })
  expect(() => filtersOf(command.opts())).toThrow(/--org .*must be a UUID in lower case\.$/)
})

const readers = { json: (text: string) => idsOf(JSON.parse(text)), ndjson: idsOfLines, csv: idsOfCsv }

function argumentsOf(wanted: UsersFilters): string[] {
  return filterNames.flatMap((name) => {
    const value = wanted[name]
    const { option }: AnyFilter = filters[name]
    const flag = /--[\w-]+/.exec(option?.flags ?? '')?.[0] ?? ''
    return value === undefined ? [] : [flag, String(value)]
  })
}

/** The number of filters whose values differ. */
function differences(one: UsersFilters, other: UsersFilters): number {
  return filterNames.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name])).length
}

test('400 cursor_invalid — a cursor with one or two other filters, or any other sort', async () => {
  const sets = filterSets().filter((wanted) => expected(wanted, 'created').length >= 2)
  for (const name of filterNames.filter((one) => !samples[one].isUnique))
    expect(sets.filter((wanted) => wanted[name] !== undefined).length).toBeGreaterThan(1)
  for (const one of sets) {
    const { headers } = await ask(queryOf(one, { limit: '1' }))
    const cursor = new URLSearchParams(nextOf(headers.link)).get('cursor') ?? ''
    expect(cursor).not.toBe('')
    const others = filterSets().filter((other) => [1, 2].includes(differences(one, other)))
    const queries = [
      ...others.map((other) => queryOf(other, { cursor })),
      ...sortNames.slice(1).map((sort) => queryOf(one, { sort, cursor })),
    ]
    for (const query of queries) {
      const { body } = await service.get(`${path}?${query}`, { token: admin.token })
      expect([query, body]).toMatchObject([query, { code: 'cursor_invalid' }])
    }
    await ask(queryOf(one, { cursor }))
  }
})

test('each statement name has one text, and values are not part of the text', () => {
  const texts = new Map<string, string>()
  for (const wanted of everySubset())
    for (const { statement } of statementsOf(wanted)) {
      expect(texts.get(statement.name) ?? statement.text).toBe(statement.text)
      // PostgreSQL truncates longer names.
      expect(Buffer.byteLength(statement.name)).toBeLessThanOrEqual(63)
      texts.set(statement.name, statement.text)
    }
  for (const name of filterNames) {
    const [one, other] = samples[name].values(accounts)
    const [first, second] = [countStatement({ [name]: one }), countStatement({ [name]: other })]
    const isLiteral = 'literals' in filters[name]
    expect([name, first.statement.text === second.statement.text]).toEqual([name, !isLiteral])
    expect([name, first.values.length > 0]).toEqual([name, !isLiteral])
  }
})

/** Every subset of the filters, once with the first value of each and once with the second. */
function everySubset(): readonly UsersFilters[] {
  return [0, 1].flatMap((nth) =>
    filterNames.reduce<readonly UsersFilters[]>(
      (sets, name) => sets.flatMap((set) => [set, { ...set, [name]: samples[name].values(accounts)[nth] }]),
      [{}],
    ),
  )
}

function statementsOf(wanted: UsersFilters) {
  const formats = Object.keys(listFormats) as (keyof typeof listFormats)[]
  const lists = sortNames.flatMap((sort) => formats.map((format) => ({ filters: wanted, sort, format })))
  return [
    countStatement(wanted),
    ...lists.map(listStatement),
    ...lists.flatMap((list) =>
      scans.map((scan) => pageStatement({ ...list, after: sorts[list.sort].start, limit: 100 }, scan)),
    ),
  ]
}

test('every filter has its indexes: a column filter one per sort, any other filter its own', async () => {
  const client = await service.database.connect()
  try {
    const { rows } = await client.query<{ columns: string }>(`
      select array_to_string(array(select a.attname from unnest(i.indkey::int2[]) with ordinality as key (number, n)
                                   join pg_attribute a on a.attrelid = i.indrelid and a.attnum = key.number where key.n <= i.indnkeyatts order by key.n), ',') as columns
      from pg_index i where i.indrelid = 'account'::regclass and i.indpred is null and i.indisvalid`)
    const indexes = rows.map(({ columns }) => columns)
    // What remains are scans of part of an index, and the sequential scan for a filter without an index.
    await client.query('set enable_seqscan = off; set enable_indexonlyscan = off')
    for (const name of filterNames) {
      const filter = filters[name]
      if ('column' in filter)
        for (const { column } of Object.values(sorts)) expect(indexes).toContain(`${filter.column},${column},id`)
      else {
        const { statement, values } = countStatement({ [name]: samples[name].values(accounts)[0] })
        const plan = await client.query<{ 'QUERY PLAN': string }>(`explain ${statement.text}`, [...values])
        const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
        expect(`${name}: ${text}`).toContain('Index Cond')
        expect(`${name}: ${text}`).not.toContain('Seq Scan')
      }
    }
  } finally {
    await client.end()
  }
})
