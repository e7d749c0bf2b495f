import { expect, test } from 'vitest'
import { countWeakAdministrators } from '../../src/identity/administrators.ts'
import { enrol } from '../sign-in/test-client.ts'
import { serviceForTest } from '../support/service.ts'

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
