import { expect, test } from 'vitest'
import { countWeakAdministrators, keepAdministrator } from '../../src/identity/administrators.ts'
import { enrol } from '../sign-in/test-client.ts'
import { serviceForTest } from '../support/service.ts'

const disableStatement = { name: 'test_disable', text: 'update account set disabled_at = now() where id = $1' }

test('administrators who sign in with the password alone are counted; users, disabled ones, those with a factor and those of other issuers are not', async () => {
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

test('409 last_administrator — of two changes at once that each leave the other administrator, the second waits for the first', async () => {
  const service = await serviceForTest()
  const [first, second] = [await service.person({ role: 'admin' }), await service.person({ role: 'admin' })]
  const disabling = (id: string, atItsEnd: () => Promise<unknown>) =>
    service.database.transaction((rows) =>
      keepAdministrator(rows, async () => {
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
