import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { sorts } from '../../src/users/filters.ts'
import { countStatement } from '../../src/users/list-all.ts'
import { pageStatement } from '../../src/users/list-page.ts'
import { serviceForTest } from '../support/service.ts'

test('finds a part of an email by index, whatever its characters and length', async () => {
  const { sql, database } = await serviceForTest()
  const client = await database.connect()
  onTestFinished(() => client.end())
  await client.query('set enable_seqscan = off')
  // Few characters, so that parts overlap, including all special characters of patterns, regular expressions and text
  // search.
  const character = fc.constantFrom(...`ab1.'\\&|!:*%_(){}^$+`)
  const text = fc.string({ unit: character, minLength: 3, maxLength: 12 })
  const part = fc.string({ unit: character, minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 20 }),
      fc.array(part, { maxLength: 8 }),
      async (emails, parts) => {
        await sql('delete from account')
        await sql('insert into account (email) select * from unnest($1::text[])', [emails])
        const own = emails.flatMap((email, index) => [
          email.slice(index % 3),
          email.slice(0, 1 + (index % 4)),
          email.slice(-2),
        ])
        for (const email of [...parts, ...own].filter((one) => one !== '')) {
          const { statement, values } = countStatement({ email })
          const { rows } = await client.query<{ total: string }>(statement.text, [...values])
          expect({ email, total: Number(rows[0]?.total) }).toEqual({
            email,
            total: emails.filter((one) => one.includes(email)).length,
          })
        }
      },
    ),
    { numRuns: 10 },
  )
})

test('finds common, rare, distant and missing parts among many accounts, in every sort order', async () => {
  const service = await serviceForTest()
  const admin = await service.person({ role: 'admin', email: 'admin@example.org' })
  // More accounts than the bounded scans test. Each tenth, hundredth and thousandth, and the last in every sort, has a
  // special email. Uses a connection without a statement timeout.
  const client = await service.database.connect()
  await client.query(`
    insert into account (email, created_at)
    select concat_ws('.', 'p' || lpad(n::text, 5, '0'),
                     case when n % 10 = 0 then 'tenth' end, case when n % 100 = 0 then 'hundredth' end,
                     case when n % 1000 = 7 then 'thousandth' end, case when n > 21000 then 'late' end,
                     case when n < 1500 then 'early' end) || '@example.com', timestamptz '2026-01-01' + n * interval '1 s'
    from generate_series(1, 22500) n`)
  await client.end()
  const orders = { created: 'created_at, id', '-created': 'created_at desc, id desc', email: 'email, id' }
  for (const part of ['tenth', 'hundredth', 'thousandth', 'late', 'early', 'p0', 'nowhere', '21007'])
    for (const [sort, order] of Object.entries(orders)) {
      const path = `/api/v1/admin/users/fetch?limit=40&sort=${sort}&email=${part}`
      const { body } = await service.get(path, { token: admin.token })
      const { users } = body as { users: { email: string }[] }
      const plain = await service.sql<{ email: string }>(
        `select email from account where strpos(email, $1) > 0 order by ${order} limit 40`,
        [part],
      )
      expect(
        users.map(({ email }) => email),
        `${part}, ${sort}`,
      ).toEqual(plain.map(({ email }) => email))
    }
})

test('finds a term that many emails start with, and the few other users who have it, far from the start of the order', async () => {
  const { database, sql } = await serviceForTest()
  const client = await database.connect()
  // One in 100 emails starts with mia. Of the others, some contain it, and some belong to a user of that name.
  await client.query(`
    insert into account (email, display_name, created_at)
    select case when n % 100 = 3 then 'mia' when n % 2 = 0 then 'a' else 'z' end || n ||
           case when n % 1000 = 7 then '.mia' else '' end || '@example.com',
           case when n % 1000 = 9 then 'Mia Z' end, timestamptz '2026-01-01' + n * interval '1 s'
    from generate_series(1, 12000) n`)
  await client.end()
  for (const [sort, direction] of [
    ['email', 'asc'],
    ['-email', 'desc'],
  ] as const)
    for (const [key, id] of [sorts[sort].start, ['mia5', '00000000-0000-0000-0000-000000000000']] as const) {
      const question = { filters: { q: 'MIA' }, sort, after: [key, id], limit: 40, format: 'json' } as const
      const { statement, values } = pageStatement(question, 'start_range')
      const [row] = await database.query<{ rows: string; complete: boolean; next: string | null }>(statement, values)
      const plain = await sql<{ email: string }>(
        `select email from account
         where (email_key, id) ${direction === 'asc' ? '>' : '<'} ($1, $2) and (email ~ 'mia' or display_name ~ 'Mia')
         order by email_key ${direction}, id ${direction} limit 40`,
        [key, id],
      )
      expect({ complete: row?.complete, isLast: row?.next === null }).toEqual({ complete: true, isLast: false })
      expect(Array.from(String(row?.rows).matchAll(/"email" ?: ?"([^"]+)"/g), ([, email]) => email)).toEqual(
        plain.map(({ email }) => email),
      )
    }
})
