import { afterAll, beforeAll, expect, test } from 'vitest'

import { type FreshDatabase, freshDatabase } from '../support/database.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

test('a statement answers its rows', async () => {
  const rows = await fresh.database.query<{ n: number }>({ name: 'one', text: 'select $1::int as n' }, [7])
  expect(rows).toEqual([{ n: 7 }])
})
