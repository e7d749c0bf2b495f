import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import type { Service } from '../../../support/service.ts'
import { chargeLimit, signInLimits, storedHash } from '../../../support/sign-in-limits.ts'
import { challengeFor, enrol, newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

interface Listed {
  readonly id: string
  readonly label?: string
  readonly isCurrent: boolean
}

async function devicesOf(token: string): Promise<Listed[]> {
  const answer = await service.get('/auth/devices', { token })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as { devices: Listed[] }).devices
}

describe('device tokens', () => {
  test('come with every kind of sign-in, are not rotated, and are stored as hashes', async () => {
    const person = await service.person()
    const client = newClient(service)
    const { device } = await client.openSession(person)
    expect(device).toMatch(/^mdt_[A-Za-z0-9_-]{43}$/)
    const again = await client.signIn(person.email, person.password, { device_token: device })
    expect(tokensOf(again).device).toBe(device)
    expect(tokensOf(await client.signIn(person.email, person.password)).device).not.toBe(device)

    const factor = await enrol(service, person.token, { password: person.password })
    const [recoveryCode, another] = factor.recoveryCodes
    const challenge = await challengeFor(client, person)
    const second = await client.post('/auth/sign-in/second-step', { challenge, recoveryCode, device_token: device })
    expect(tokensOf(second).device).toBe(device)
    const next = await challengeFor(client, person)
    const fresh = await client.post('/auth/sign-in/second-step', { challenge: next, recoveryCode: another })
    expect(tokensOf(fresh).device).toMatch(/^mdt_/)

    const [stored] = await service.sql<{ all: string }>(`select string_agg(to_json(d)::text, '') as all from device d`)
    expect(stored?.all).not.toContain(Buffer.from(device).toString('hex'))
    expect(stored?.all).toContain(storedHash(device).toString('hex'))
  })

  test('that are unknown, expired or of another account are ignored: the sign-in returns a new one', async () => {
    const person = await service.person()
    const other = await newClient(service).openSession(await service.person())
    const own = await newClient(service).openSession(person)
    await service.sql(`update device set last_used_at = now() - interval '181 days' where hash = $1`, [
      storedHash(own.device),
    ])
    for (const device_token of [other.device, own.device, 'mdt_unknown', own.refresh]) {
      const answer = await newClient(service).signIn(person.email, person.password, { device_token })
      expect(tokensOf(answer).device).not.toBe(device_token)
    }
  })

  test('open no session and replace no factor', async () => {
    const person = await service.person()
    const client = newClient(service)
    const { device } = await client.openSession(person)
    expect((await service.get('/auth/devices', { token: device })).status).toBe(401)
    expect((await client.post('/auth/refresh', { refresh_token: device })).status).toBe(401)
    await enrol(service, person.token, { password: person.password })
    const answer = await client.signIn(person.email, person.password, { device_token: device })
    expect(answer.body).toMatchObject({ mfa_required: true })
    expect(answer.text).not.toContain('mdt_')
  })

  test('are revoked after fifty failures without a success, with an audit event', async () => {
    const person = await service.person()
    const { device } = await newClient(service).openSession(person)
    await chargeLimit(service, signInLimits.device(device), { attempts: 0, failures: 49 })
    const client = newClient(service)
    expect((await client.signIn(person.email, 'wrong', { device_token: device })).status).toBe(401)
    expect(await service.sql(`select from device where hash = $1`, [storedHash(device)])).toEqual([])
    const noted = await service.sql(`select target_id from audit_event where action = 'device.revoked'`)
    expect(noted).toEqual([{ target_id: person.id }])
  })

  test('with an exhausted limit count as unknown devices', async () => {
    const person = await service.person()
    const { device } = await newClient(service).openSession(person)
    await chargeLimit(service, signInLimits.device(device), { attempts: 12, failures: 10 })
    expect((await newClient(service).signIn(person.email, person.password, { device_token: device })).status).toBe(200)
  })
})

describe('GET /auth/devices', () => {
  test('returns only the caller’s devices, with the current one marked and the user agent', async () => {
    const person = await service.person()
    const first = await newClient(service).openSession(person)
    await newClient(service).openSession(await service.person())
    const answer = await newClient(service).send('POST', '/auth/sign-in', {
      body: { email: person.email, password: person.password },
      headers: { 'user-agent': 'Browser/1.0' },
    })
    const listed = await devicesOf(tokensOf(answer).access)
    expect(listed).toHaveLength(2)
    expect(listed[0]).toMatchObject({ label: 'Browser/1.0', isCurrent: true })
    expect((await devicesOf(first.access)).map(({ isCurrent }) => isCurrent)).toEqual([false, true])
    expect(await devicesOf(person.token)).toHaveLength(2)
  })

  test('returns at most twenty devices: another one replaces the least recently used', async () => {
    const person = await service.person()
    const { device } = await newClient(service).openSession(person)
    await service.sql(`update device set last_used_at = now() - interval '1 day' where account_id = $1`, [person.id])
    await service.sql(
      `insert into device (account_id, hash) select $1::uuid, sha256(($1::text || n)::bytea) from generate_series(1, 19) n`,
      [person.id],
    )
    expect(await devicesOf(person.token)).toHaveLength(20)
    await newClient(service).openSession(person)
    expect(await devicesOf(person.token)).toHaveLength(20)
    expect(await service.sql(`select from device where hash = $1`, [storedHash(device)])).toEqual([])
  })
})

describe('DELETE /auth/devices/{deviceId}', () => {
  test('returns 204: the token is ignored from then on, and its session stays open', async () => {
    const person = await service.person()
    const { access, device } = await newClient(service).openSession(person)
    const [one] = await devicesOf(access)
    const answer = await service.call('DELETE', `/auth/devices/${one?.id}`, { token: access })
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect(await devicesOf(access)).toEqual([])
    const next = await newClient(service).signIn(person.email, person.password, { device_token: device })
    expect(tokensOf(next).device).not.toBe(device)
    const noted = await service.sql(`select 1 from audit_event where action = 'device.removed' and actor_id = $1`, [
      person.id,
    ])
    expect(noted).toHaveLength(1)
  })

  test('returns 404 device_unknown for another account’s device, an unknown id and a removed device', async () => {
    const person = await service.person()
    const other = await newClient(service).openSession(await service.person())
    const [theirs] = await devicesOf(other.access)
    for (const id of [theirs?.id, '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55'])
      expect(problemOf(await service.call('DELETE', `/auth/devices/${id}`, { token: person.token }))).toEqual({
        status: 404,
        code: 'device_unknown',
      })
    expect(await devicesOf(other.access)).toHaveLength(1)
  })
})

test('POST /auth/sign-out-everywhere forgets the devices, POST /auth/sign-out keeps them', async () => {
  const person = await service.person()
  const first = await newClient(service).openSession(person)
  const second = await newClient(service).openSession(person)
  await newClient(service).post('/auth/sign-out', undefined, first.access)
  expect(await devicesOf(second.access)).toHaveLength(2)
  await newClient(service).post('/auth/sign-out-everywhere', undefined, second.access)
  expect(await service.sql(`select from device where account_id = $1`, [person.id])).toEqual([])
})
