import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { muster } from '../../../support/operator.ts'
import type { Person, Service } from '../../../support/service.ts'
import { chargeLimit, type SignInLimit, signInLimits } from '../../../support/sign-in-limits.ts'
import { newClient, startIssuer } from '../../../support/test-client.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await startIssuer()
  admin = await service.person({ role: 'admin' })
})
afterAll(() => service.stop())

async function waitsOf({ id }: Person): Promise<unknown> {
  const { status, text, body } = await service.get(`/api/v1/admin/users/${id}`, { token: admin.token })
  expect(status, text).toBe(200)
  return Object(body).signInWaits
}

const exhaust = (limit: SignInLimit) => chargeLimit(service, limit, { attempts: limit.capacity })

/** An account with a device and a session in a network, and every bucket of the account. */
async function charged(): Promise<{ person: Person; counted: Readonly<Record<string, SignInLimit>> }> {
  const person = await service.person()
  const client = newClient(service)
  const { access, device } = await client.openSession(person)
  const [row] = await service.sql<{ network: string }>(
    'select network from session where account_id = $1 and network is not null',
    [person.id],
  )
  return {
    person,
    counted: {
      unknown_devices: signInLimits.unknownDevices(person.email),
      known_network: signInLimits.knownNetwork(person.email, row?.network ?? ''),
      device: signInLimits.device(device),
      session: signInLimits.session(access),
      second_step: signInLimits.secondStep(person.id),
    },
  }
}

describe('the sign-in rate limits of an account', () => {
  test('show an administrator each exhausted scope and when it ends', async () => {
    const { person, counted } = await charged()
    const until = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const all = Object.keys(counted).map((scope) => ({ scope, until }))
    for (const [scope, bucket] of Object.entries(counted)) {
      await exhaust(bucket)
      expect(await waitsOf(person)).toEqual([{ scope, until }])
      await service.sql('delete from sign_in_bucket where key = $1', [bucket.key])
    }
    for (const bucket of Object.values(counted)) await exhaust(bucket)
    expect(await waitsOf(person)).toEqual(all)
  })

  test('exclude the limits of other accounts', async () => {
    const [{ person }, other] = [await charged(), await charged()]
    for (const bucket of Object.values(other.counted)) await exhaust(bucket)
    expect(await waitsOf(person)).toBeUndefined()
    const elsewhere = '203.0.113.0/24'
    await service.sql('update session set network = $2 where account_id = $1', [other.person.id, elsewhere])
    await exhaust(signInLimits.knownNetwork(person.email, elsewhere))
    expect(await waitsOf(person)).toBeUndefined()
  })

  test('are empty for an account without a password', async () => {
    const { person, counted } = await charged()
    for (const bucket of Object.values(counted)) await exhaust(bucket)
    await service.sql('delete from credential where account_id = $1', [person.id])
    expect(await waitsOf(person)).toBeUndefined()
  })

  test('are cleared by `users unlock`, and only for this account', async () => {
    const [one, other] = [await charged(), await charged()]
    for (const { counted } of [one, other]) for (const bucket of Object.values(counted)) await exhaust(bucket)
    await muster(service, `users unlock ${one.person.id}`)
    expect(await waitsOf(one.person)).toBeUndefined()
    expect(await waitsOf(other.person)).toHaveLength(5)
    const events = await service.sql(
      `select actor_id, target_kind, target_id, details from audit_event where action = 'account.unlocked'`,
    )
    expect(events).toEqual([{ actor_id: null, target_kind: 'account', target_id: one.person.id, details: {} }])
  })

  test('are cleared in every network of the account, even with more than 1,000 sessions', async () => {
    const person = await service.person()
    await newClient(service, '198.51.100.9').openSession(person)
    await service.sql(
      `insert into session (account_id, amr, expires_at, ended_at, network)
       select $1, '{pwd}', now() + interval '1 day', now(), '20.0.0.0/24' from generate_series(1, 1200)`,
      [person.id],
    )
    await newClient(service, '203.0.113.9').openSession(person)
    const networks = await service.sql<{ network: string }>(
      'select distinct network from session where account_id = $1 and network is not null',
      [person.id],
    )
    expect(networks).toHaveLength(3)
    const charged = networks.map(({ network }) => signInLimits.knownNetwork(person.email, network))
    for (const bucket of charged) await exhaust(bucket)
    expect(await waitsOf(person)).toMatchObject([{ scope: 'known_network' }])
    await muster(service, `users unlock ${person.id}`)
    const keys = charged.map(({ key }) => key)
    expect(await service.sql('select from sign_in_bucket where key = any ($1)', [keys])).toEqual([])
  })
})
