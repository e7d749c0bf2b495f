import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscribe } from '../support/billing-rows.ts'
import { makeDataDir } from '../support/data-dir.ts'
import { type Service, startService } from '../support/service.ts'
import { runMuster } from './run-muster.ts'

let service: Service
let dataDir: Awaited<ReturnType<typeof makeDataDir>>
beforeAll(async () => {
  service = await startService()
  dataDir = await makeDataDir()
})
afterAll(async () => {
  await service.stop()
  await dataDir.remove()
})

const muster = (command: string) =>
  runMuster(command.split(' '), {
    env: {
      DATABASE_URL: service.fresh.url,
      MUSTER_DATA_DIR: dataDir.path,
      MUSTER_ENCRYPTION_KEY: service.config.issuer.encryptionKey?.open() ?? '',
    },
  })
const exists = async (id: string) => (await service.sql('select from account where id = $1', [id])).length === 1

test('users erase disables the user and prints the date of deletion, users enable cancels it, and --now deletes the user and names remaining customers', async () => {
  const person = await service.person()
  const later = await muster(`users erase ${person.email}`)
  expect(later).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Disabled .*\. The user will be deleted at 2/),
  })
  expect((await muster('users list --json')).stdout).toMatch(new RegExp(`"id":"${person.id}".*"status":"erasing"`))
  expect((await muster(`users enable ${person.id}`)).code).toBe(0)
  await subscribe(service, { customer: 'cus_cli', accountId: person.id, price: 'price', status: 'active' })
  const refused = await muster(`users erase ${person.email} --now`)
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Cancel these subscriptions first: sub_cus_cli'),
  })
  await service.sql(`update subscription set status = 'canceled'`)
  const erased = await muster(`users erase ${person.email} --now`)
  expect(erased).toMatchObject({ code: 0, stdout: `Deleted ${person.email}.\n` })
  expect(erased.stderr).toContain('The customer cus_cli still exists at stripe')
  expect(await exists(person.id)).toBe(false)
  const events = await service.sql<{ action: string; operator: string | null }>(
    'select action, operator from audit_event where target_id = $1 order by at, id',
    [person.id],
  )
  expect(events.map(({ action }) => action)).toEqual([
    'account.erase_requested',
    'account.enabled',
    'account.erase_requested',
    'account.erased',
  ])
  expect(events.every(({ operator }) => operator !== null)).toBe(true)
})

test('users erase --again deletes exactly the users that a restored backup brought back, even with a subscription', async () => {
  const [gone, other] = [await service.person(), await service.person()]
  expect((await muster(`users erase ${gone.id} --now`)).code).toBe(0)
  // As a restored backup has it: the account is there, and nothing says that it was erased.
  await service.sql(`delete from erasure where account_id = $1`, [gone.id])
  await service.sql(`insert into account (id, email) values ($1, $2)`, [gone.id, gone.email])
  await service.sql(`insert into customer (id, account_id) values ('cus_back', $1)`, [gone.id])
  await subscribe(service, { customer: 'cus_back', accountId: gone.id, price: 'price', status: 'active' })
  await appendFile(join(dataDir.path, 'erasures.ndjson'), '{"accountId":"cut by a cr')
  expect(await muster('users erase --again')).toMatchObject({ code: 0, stdout: 'Users deleted again: 1.\n' })
  expect([await exists(gone.id), await exists(other.id)]).toEqual([false, true])
  expect(await muster('users erase --again')).toMatchObject({
    code: 0,
    stdout: 'No deleted user came back.\n',
  })
  expect(await readFile(join(dataDir.path, 'erasures.ndjson'), 'utf8')).not.toContain(gone.email)
})

test('users export prints the same data as the user can download, and writes it to the audit log', async () => {
  const person = await service.person()
  const { code, stdout } = await muster(`users export ${person.email}`)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ account: { id: person.id, email: person.email }, events: [] })
  expect(await service.sql(`select action from audit_event where target_id = $1`, [person.id])).toEqual([
    { action: 'account.exported' },
  ])
})

test('users erase rejects a missing user, conflicting options and an unknown user', async () => {
  for (const [command, text] of [
    ['users erase', 'Name a user'],
    ['users erase someone@example.com --again', 'Name a user'],
    ['users erase --again --now', 'Name a user'],
    ['users erase nobody@example.com', 'No user has'],
  ] as const)
    expect(await muster(command), command).toMatchObject({ code: 1, stderr: expect.stringContaining(text) })
})
