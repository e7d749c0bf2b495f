import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { countStatement } from '../../src/users/list-all.ts'
import { serviceForTest } from '../support/service.ts'

test('finds a part of an email by index, whatever its characters and length', async () => {
  const { sql, database } = await serviceForTest()
  const client = await database.connect()
  onTestFinished(() => client.end())
  await client.query('set enable_seqscan = off')
  // Few characters, so that parts overlap, including all special characters of patterns, regular expressions and text
  // search.
  const character = fc.constantFrom(...`ab1.'\\&|!:*%_(){}^$+ `)
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
