import { expect, inject, test } from 'vitest'
import { type Service, startService } from '../support/service.ts'

const { adminUrl, userUrl } = inject('testServer')

test.skipIf(adminUrl === userUrl)(
  'a test service finds nothing of the services that used its database before',
  async () => {
    const first = await startService()
    const before = await stateOf(first)
    await first.person()
    await first.sql(`insert into plan (id, name) values ('pro', 'Pro')`)
    await first.sql(`delete from role_grant where role_id = 'admin'`)
    await first.stop()
    await expect(first.sql('select')).rejects.toThrow('The database was dropped.')
    await expect(first.database.query({ name: '', text: 'select' }, [])).rejects.toThrow('The database was dropped.')

    const second = await startService()
    expect(nameOf(second)).toBe(nameOf(first))
    expect(await stateOf(second)).toEqual(before)
    await second.sql('alter table plan add note text')
    await second.stop()

    const third = await startService()
    expect(nameOf(third)).not.toBe(nameOf(first))
    expect(await stateOf(third)).toEqual(before)
    await third.stop()
  },
)

const nameOf = ({ fresh }: Service) => new URL(fresh.url).pathname

async function stateOf({ sql }: Service) {
  return {
    accounts: await sql('select id from account'),
    plans: await sql('select * from plan'),
    grants: await sql('select role_id, resource, action from role_grant order by 1, 2, 3'),
  }
}
