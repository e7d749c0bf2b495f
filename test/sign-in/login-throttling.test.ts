import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginLoginAttempt } from '../../src/sign-in/passwords/login-throttling.ts'
import { describeClient } from '../../src/sign-in/sessions/client.ts'
import type { Service } from '../support/service.ts'
import { delayFactor, newClient, startIssuer, stretchDelays, type TestClient } from './test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const clientAt = (address: string) => describeClient({ address, requestId: 'r' })

/** The delay of each key in the table after its last failure, in seconds. */
async function delays(): Promise<number[]> {
  const rows = await service.sql<{ seconds: number }>(
    `select extract(epoch from greatest(waits_until, failed_at) - failed_at)::int as seconds from sign_in_wait
     order by seconds`,
  )
  return rows.map(({ seconds }) => seconds)
}

/** Moves the times in the table into the past. */
async function pass(interval: string): Promise<void> {
  await service.sql(
    `update sign_in_wait set failed_at = failed_at - $1::interval, waits_until = waits_until - $1::interval`,
    [interval],
  )
}

/** A failed attempt. Returns whether it was allowed. */
async function failed(email: string, address: string): Promise<boolean> {
  const attempt = await beginLoginAttempt(service.database, email, clientAt(address))
  await attempt.fail(service.database)
  return attempt.isAllowed
}

describe('the delay', () => {
  test('the delay doubles from the fifth failure on, up to a quarter of an hour', async () => {
    await service.sql('delete from sign_in_wait')
    const seen: (number | undefined)[] = []
    for (let failure = 1; failure <= 16; failure += 1) {
      // Another address each time, so that only the name is throttled.
      await failed('waits@example.com', `100.64.0.${failure}`)
      seen.push((await delays()).at(-1))
      await pass('16 minutes')
    }
    expect(seen).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  })

  test('a day without failures resets the count', async () => {
    await service.sql('delete from sign_in_wait')
    for (let failure = 1; failure <= 5; failure += 1) await failed('day@example.com', `100.64.1.${failure}`)
    expect((await delays()).at(-1)).toBe(1)
    await pass('25 hours')
    await failed('day@example.com', '100.64.1.9')
    expect((await delays()).at(-1)).toBe(0)
  })

  test('a name without failures allows parallel attempts, and each failure counts', async () => {
    await service.sql('delete from sign_in_wait')
    const tries = await atOnce('clean@example.com', 40)
    expect(tries.every(({ isAllowed }) => isAllowed)).toBe(true)
    await Promise.all(tries.map((attempt) => attempt.fail(service.database)))
    expect((await delays()).at(-1)).toBe(900)
  })
})

describe('during a delay', () => {
  beforeAll(() => stretchDelays(service))

  test('once a name has a failure, parallel attempts get no more than the free failures', async () => {
    await failed('burst@example.com', '100.64.3.1')
    expect((await atOnce('burst@example.com', 40)).filter(({ isAllowed }) => isAllowed)).toHaveLength(4)
  })

  test('failures under many names throttle their network, an IPv6 network as a whole, and no other', async () => {
    for (let failure = 1; failure <= 21; failure += 1)
      expect(await failed(`spray${failure}@example.com`, `2001:db8:1:2::${failure}`)).toBe(true)
    expect(await failed('spray@example.com', '2001:db8:1:2::ffff')).toBe(false)
    expect(await failed('spray@example.com', '2001:db8:1:3::1')).toBe(true)
  })

  test('a right password is refused during the delay and accepted after it', async () => {
    const person = await service.person()
    await fail(person.email, 5)
    expect((await newClient(service).signIn(person.email, person.password)).status).toBe(401)
    await pass(`${delayFactor} seconds`)
    expect((await newClient(service).signIn(person.email, person.password)).status).toBe(200)
  })

  test('an attempt during the delay does not extend it', async () => {
    const person = await service.person()
    await fail(person.email, 5)
    await fail(person.email, 2)
    await pass(`${delayFactor} seconds`)
    expect((await newClient(service).signIn(person.email, person.password)).status).toBe(200)
  })

  test('a completed sign-in clears the failures', async () => {
    const person = await service.person()
    for (let round = 0; round < 3; round += 1) {
      await fail(person.email, 4)
      await newClient(service).openSession(person)
    }
  })

  test('failures elsewhere do not lock the user out of a network used before', async () => {
    const person = await service.person()
    const home = newClient(service)
    await home.openSession(person)
    await fail(person.email, 12)
    expect((await newClient(service).signIn(person.email, person.password)).status).toBe(401)
    expect((await home.signIn(person.email, person.password)).status).toBe(200)
  })

  test('failures from a known network are throttled as well', async () => {
    const person = await service.person()
    const home = newClient(service)
    await home.openSession(person)
    await fail(person.email, 5, home)
    expect((await home.signIn(person.email, person.password)).status).toBe(401)
  })

  test('many users behind one address can sign in without a delay', async () => {
    const office = newClient(service)
    const people = await Promise.all(Array.from({ length: 30 }, () => service.person()))
    for (const person of people) await office.openSession(person)
  })
})

test('one account allows many parallel sign-ins', async () => {
  const person = await service.person()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => newClient(service).signIn(person.email, person.password)),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

const atOnce = (email: string, tries: number) =>
  Promise.all(
    Array.from({ length: tries }, (_, n) => beginLoginAttempt(service.database, email, clientAt(`100.64.2.${n}`))),
  )

async function fail(email: string, times: number, from?: TestClient): Promise<void> {
  for (let failure = 0; failure < times; failure += 1)
    expect((await (from ?? newClient(service)).signIn(email, 'wrong password')).status).toBe(401)
}
