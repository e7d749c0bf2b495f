import { expect, test } from 'vitest'
import { countWeakAdministrators, hasAdministrator, keepAdministrator } from '../../src/identity/administrators.ts'
import { builtInIssuer } from '../../src/identity/issuers/names.ts'
import type { Rows } from '../../src/platform/database/database.ts'
import { serviceForTest } from '../support/service.ts'
import { enrol } from '../support/test-client.ts'

const disableStatement = { name: 'test_disable', text: 'update account set disabled_at = now() where id = $1' }

test('counts enabled administrators of the built-in issuer without a second factor', async () => {
  const service = await serviceForTest()
  const count = () => countWeakAdministrators(service.database)
  await service.person()
  expect(await count()).toBe(0)
  const [first, second] = [await service.person({ role: 'admin' }), await service.person({ role: 'admin' })]
  const disabled = await service.person({ role: 'admin' })
  await service.sql('update account set disabled_at = now() where id = $1', [disabled.id])
  expect(await count()).toBe(2)
  await enrol(service, first.token, { password: first.password })
  expect(await count()).toBe(1)
  await service.sql('delete from credential where account_id = $1', [second.id])
  expect(await count()).toBe(0)
})

test('finds administrators by role first, without reading the identity of every account', async () => {
  const { database, fresh } = await serviceForTest()
  await fresh.sql(`insert into account (email) select n || '@example.com' from generate_series(1, 20000) n`)
  await fresh.sql(`insert into identity (issuer, subject, account_id) select $1, id::text, id from account`, [
    builtInIssuer,
  ])
  await fresh.sql('analyze account, identity')
  let visited = 0
  const explained: Rows = {
    async query({ text }, values) {
      const [row] = await fresh.sql<{ 'QUERY PLAN': readonly { Plan: Record<string, number> }[] }>(
        `explain (analyze, buffers, format json) ${text}`,
        values,
      )
      visited = row?.['QUERY PLAN'][0]?.Plan['Shared Hit Blocks'] ?? Number.NaN
      return []
    },
  }
  await hasAdministrator(explained, [builtInIssuer])
  expect(visited).toBeLessThan(5_000)
  expect(await hasAdministrator(database, [builtInIssuer])).toBe(false)
})

test('409 last_administrator for the second of two concurrent changes that each leave only the other administrator', async () => {
  const service = await serviceForTest()
  const [first, second] = [await service.person({ role: 'admin' }), await service.person({ role: 'admin' })]
  const disabling = (id: string, atItsEnd: () => Promise<unknown>) =>
    service.database.transaction((rows) =>
      keepAdministrator(rows, [builtInIssuer], async () => {
        await rows.query(disableStatement, [id])
        await atItsEnd()
      }),
    )
  let later: Promise<unknown> = Promise.resolve()
  await disabling(first.id, async () => {
    later = disabling(second.id, async () => undefined).then(
      () => 'done',
      (error: unknown) => error,
    )
    const waiting = async () => {
      const text = `select from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`
      return (await service.fresh.sql(text)).length > 0
    }
    await Promise.race([later, expect.poll(waiting).toBe(true)])
  })
  expect(await later).toMatchObject({ code: 'last_administrator' })
})

test('the last administrator is one of a configured issuer if the built-in issuer is off, whatever passwords others have', async () => {
  const { database, sql } = await serviceForTest()
  const configured = 'https://id.example.com'
  const addAdministrator = async (issuer: string) => {
    const [row] = await sql<{ id: string }>(`insert into account (role_id) values ('admin') returning id`)
    await sql('insert into identity select $1, id, id from account where id = $2', [issuer, row?.id])
    return row?.id
  }
  const withPassword = await addAdministrator(builtInIssuer)
  await sql(`insert into credential (account_id, email, password) values ($1, 'chief@example.com', '')`, [withPassword])
  const id = await addAdministrator(configured)
  const disable = () =>
    database.transaction((rows) => keepAdministrator(rows, [configured], () => rows.query(disableStatement, [id])))
  await expect(disable()).rejects.toMatchObject({ code: 'last_administrator' })
  await addAdministrator(configured)
  await disable()
})
