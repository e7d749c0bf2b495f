import { hash } from 'bcryptjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRecoveryLink } from '../../src/sign-in/links/recovery-links.ts'
import { countOldHashes, countStoredHashes, expireOldHashes } from '../../src/sign-in/passwords/stored-hashes.ts'
import { problemOf } from '../support/problem.ts'
import type { Person, Service } from '../support/service.ts'
import { newClient, startIssuer } from '../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

/** A user with an imported hash. Without days the hash has no timestamp, as in earlier releases. */
async function imported(daysAgo: number | null, of: 'credential' | 'account' = 'credential'): Promise<Person> {
  const person = await service.person()
  await service.sql(
    `update credential set password = $2, hashed_at = case when $3 then now() - make_interval(days => $4) end where account_id = $1`,
    [person.id, await hash(person.password, 4), of === 'credential', daysAgo],
  )
  if (of === 'account')
    await service.sql(`update account set created_at = now() - make_interval(days => $2) where id = $1`, [
      person.id,
      daysAgo,
    ])
  return person
}

const newPassword = 'seventeen small turtles'

async function recover({ id }: Person): Promise<number> {
  const wanted = { accountId: id, resetsFactors: false, lifeSeconds: 60 }
  const { link } = await service.database.transaction((rows) => createRecoveryLink(rows, 'http://muster.test', wanted))
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token')
  return (await newClient(service).post('/auth/recovery/complete', { token, newPassword })).status
}

test('deletes only old hashes of the scheme: their users are rejected, and sign in after a recovery', async () => {
  const old = await imported(366)
  const young = await imported(364)
  const oldAccount = await imported(366, 'account')
  const youngAccount = await imported(364, 'account')
  const present = await service.person()
  await service.sql(`update credential set hashed_at = now() - interval '900 days' where account_id = $1`, [present.id])
  const wanted = { scheme: '2b', olderThanDays: 365 }
  expect(await expireOldHashes(service.database, { ...wanted, scheme: '2' })).toBe(0)
  expect(await countOldHashes(service.database, wanted)).toBe(2)
  expect(await expireOldHashes(service.database, wanted)).toBe(2)
  expect(await expireOldHashes(service.database, wanted)).toBe(0)
  for (const { email, password } of [young, youngAccount, present])
    expect((await newClient(service).signIn(email, password)).status).toBe(200)
  // The remaining two users have signed in: nothing delays rejections any more.
  expect((await countStoredHashes(service.database)).map(({ isCurrent }) => isCurrent)).toEqual([true])
  for (const person of [old, oldAccount]) {
    const refused = await newClient(service).signIn(person.email, person.password)
    expect(problemOf(refused)).toEqual({ status: 401, code: 'sign_in_refused' })
    const action = 'password.expired'
    expect(
      await service.sql(`select action, details from audit_event where target_id = $1 and action = $2`, [
        person.id,
        action,
      ]),
    ).toEqual([{ action, details: { scheme: '2b' } }])
  }
  expect(await recover(old)).toBe(200)
  expect((await newClient(service).signIn(old.email, newPassword)).status).toBe(200)
})

test('a hash that a sign-in, a password change or a recovery stores has a new timestamp', async () => {
  const person = await imported(900)
  const ageDays = async () => {
    const text = `select extract(day from now() - hashed_at)::int as days from credential where account_id = $1`
    const [row] = await service.sql<{ days: number }>(text, [person.id])
    await service.sql(`update credential set hashed_at = now() - interval '900 days' where account_id = $1`, [
      person.id,
    ])
    return row?.days
  }
  expect(await ageDays()).toBe(900)
  expect((await newClient(service).signIn(person.email, person.password)).status).toBe(200)
  expect(await ageDays()).toBe(0)
  const body = { currentPassword: person.password, newPassword: 'a pony in the attic' }
  expect((await newClient(service).send('PUT', '/auth/password', { token: person.token, body })).status).toBe(204)
  expect(await ageDays()).toBe(0)
  expect(await recover(person)).toBe(200)
  expect(await ageDays()).toBe(0)
})
