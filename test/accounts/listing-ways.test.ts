import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { countStatement, type PageQuestion, pageStatement, startOf } from '../../src/accounts/listing-sql.ts'
import { builtInIssuer } from '../../src/issuer/access-tokens.ts'
import { serviceForTest } from '../support/service.ts'

test('every way to a page leads to the same page', async () => {
  const { person, sql, database } = await serviceForTest()
  const { id } = await person({ role: 'admin', email: 'root@muster.test' })
  await sql(`insert into account (email, created_at, disabled_at)
    select case when n % 7 > 0 then 'p' || n % 13 || '@x' || n % 3 || '.example' end, timestamptz '2026-01-01' + n % 20 * interval '1 s',
           case when n % 5 = 0 then now() end
    from generate_series(1, 400) n`)
  const [org] = await sql<{ id: string }>(`insert into organization (name) values ('One') returning id`)
  await sql(`insert into membership (organization_id, account_id) select $1, id from account where email like 'p1%'`, [
    org?.id,
  ])
  const filters = [
    { email: 'p' },
    { email: 'p1' },
    { email: 'x2.exam', status: 'active' },
    { orgId: org?.id },
    { orgId: org?.id, email: '@' },
  ]
  for (const filter of filters as readonly PageQuestion['filters'][])
    for (const sort of ['created', '-created', 'email', '-email'] as const) {
      const pages = []
      for (const way of ['walk', 'gather', 'trek'] as const) {
        const caller = [builtInIssuer, id, null, null]
        const after = startOf[sort]
        const { statement, values } = pageStatement({
          way,
          caller,
          filters: filter,
          sort,
          after,
          limit: 9,
          format: 'json',
        })
        const [row] = await database.query<{ rows: string; next: string; whole: boolean }>(statement, values)
        expect(row).toMatchObject({ whole: true, next: expect.any(String) })
        pages.push(row?.rows, row?.next)
      }
      expect(new Set(pages).size).toBe(2)
    }
})

test('a part of an address is found by its index, whatever its characters and its length', async () => {
  const { sql, database } = await serviceForTest()
  const client = await database.connect()
  onTestFinished(() => client.end())
  await client.query('set enable_seqscan = off')
  // Few characters, so that parts meet; all that mean something to a pattern, a regular expression or a text search are among them.
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
    { numRuns: 25 },
  )
})
