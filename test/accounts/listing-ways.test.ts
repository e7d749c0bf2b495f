import { expect, test } from 'vitest'
import { type PageQuestion, pageStatement, startOf } from '../../src/accounts/listing-sql.ts'
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
    { email: 'p1' },
    { email: 'x2.exam', status: 'active' },
    { orgId: org?.id },
    { orgId: org?.id, email: '@' },
  ]
  for (const hasTrigrams of [true, false])
    for (const filter of filters as readonly PageQuestion['filters'][])
      for (const sort of ['created', '-created', 'email', '-email'] as const) {
        const pages = []
        for (const way of ['walk', 'gather', 'trek'] as const) {
          const caller = [builtInIssuer, id, null, null]
          const question = {
            way,
            caller,
            filters: filter,
            sort,
            after: startOf[sort],
            limit: 9,
            format: 'json',
            hasTrigrams,
          } as const
          const { statement, values } = pageStatement(question)
          const [row] = await database.query<{ rows: string; next: string; whole: boolean }>(statement, values)
          expect(row).toMatchObject({ whole: true, next: expect.any(String) })
          pages.push(row?.rows, row?.next)
        }
        expect(new Set(pages).size).toBe(2)
      }
})
