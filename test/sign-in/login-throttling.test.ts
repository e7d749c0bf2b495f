import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginLoginAttempt } from '../../src/sign-in/passwords/login-throttling.ts'
import { describeClient } from '../../src/sign-in/sessions/client.ts'
import type { Service } from '../support/service.ts'
import { startIssuer, stretchWaits, type Visitor, visitorOf, waitFactor } from './test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const clientAt = (address: string) => describeClient({ address, requestId: 'r' })

/** Seconds that each of the keys in the table waits, after the newest try. */
async function waits(): Promise<number[]> {
  const rows = await service.sql<{ seconds: number }>(
    `select extract(epoch from greatest(waits_until, failed_at) - failed_at)::int as seconds from sign_in_wait
     order by seconds`,
  )
  return rows.map(({ seconds }) => seconds)
}

/** Time passes for everybody who waits. */
async function pass(interval: string): Promise<void> {
  await service.sql(
    `update sign_in_wait set failed_at = failed_at - $1::interval, waits_until = waits_until - $1::interval`,
    [interval],
  )
}

/** A try that turned out to be wrong. */
async function failed(email: string, address: string): Promise<boolean> {
  const attempt = await beginLoginAttempt(service.database, email, clientAt(address))
  await attempt.fail(service.database)
  return attempt.isAllowed
}

describe('how long a wait is', () => {
  test('the wait doubles from the fifth failure on, up to a quarter of an hour, and no further', async () => {
    await service.sql('delete from sign_in_wait')
    const seen: (number | undefined)[] = []
    for (let failure = 1; failure <= 16; failure += 1) {
      // A new address each time: only the name's own count is looked at.
      await failed('waits@example.com', `100.64.0.${failure}`)
      seen.push((await waits()).at(-1))
      await pass('16 minutes')
    }
    expect(seen).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  })

  test('a day without failures forgets them', async () => {
    await service.sql('delete from sign_in_wait')
    for (let failure = 1; failure <= 5; failure += 1) await failed('day@example.com', `100.64.1.${failure}`)
    expect((await waits()).at(-1)).toBe(1)
    await pass('25 hours')
    await failed('day@example.com', '100.64.1.9')
    expect((await waits()).at(-1)).toBe(0)
  })

  test('of a name without failures many tries at once are looked at, and each that fails is counted', async () => {
    await service.sql('delete from sign_in_wait')
    const tries = await atOnce('clean@example.com', 40)
    expect(tries.every(({ isAllowed }) => isAllowed)).toBe(true)
    await Promise.all(tries.map((attempt) => attempt.fail(service.database)))
    expect((await waits()).at(-1)).toBe(900)
  })
})

describe('during a wait', () => {
  beforeAll(() => stretchWaits(service))

  test('once a name has failed, of many tries at once no more than the free ones are looked at', async () => {
    await failed('burst@example.com', '100.64.3.1')
    expect((await atOnce('burst@example.com', 40)).filter(({ isAllowed }) => isAllowed)).toHaveLength(4)
  })

  test('one network waits for all names together, an IPv6 network as a whole, and another network does not', async () => {
    for (let failure = 1; failure <= 21; failure += 1)
      expect(await failed(`spray${failure}@example.com`, `2001:db8:1:2::${failure}`)).toBe(true)
    expect(await failed('spray@example.com', '2001:db8:1:2::ffff')).toBe(false)
    expect(await failed('spray@example.com', '2001:db8:1:3::1')).toBe(true)
  })

  test('a right password is refused while its account waits, and taken when the wait is over', async () => {
    const person = await service.person()
    await fail(person.email, 5)
    expect((await visitorOf(service).signIn(person.email, person.password)).status).toBe(401)
    await pass(`${waitFactor} seconds`)
    expect((await visitorOf(service).signIn(person.email, person.password)).status).toBe(200)
  })

  test('a try during the wait does not lengthen it', async () => {
    const person = await service.person()
    await fail(person.email, 5)
    await fail(person.email, 2)
    await pass(`${waitFactor} seconds`)
    expect((await visitorOf(service).signIn(person.email, person.password)).status).toBe(200)
  })

  test('a good sign-in forgets the failures before it', async () => {
    const person = await service.person()
    for (let round = 0; round < 3; round += 1) {
      await fail(person.email, 4)
      await visitorOf(service).enter(person)
    }
  })

  test('a stranger’s failures keep nobody out who signed in from the same place before', async () => {
    const person = await service.person()
    const home = visitorOf(service)
    await home.enter(person)
    await fail(person.email, 12)
    expect((await visitorOf(service).signIn(person.email, person.password)).status).toBe(401)
    expect((await home.signIn(person.email, person.password)).status).toBe(200)
  })

  test('at home too there are only so many tries', async () => {
    const person = await service.person()
    const home = visitorOf(service)
    await home.enter(person)
    await fail(person.email, 5, home)
    expect((await home.signIn(person.email, person.password)).status).toBe(401)
  })

  test('good sign-ins of many people behind one address make nobody wait', async () => {
    const office = visitorOf(service)
    const people = await Promise.all(Array.from({ length: 30 }, () => service.person()))
    for (const person of people) await office.enter(person)
  })
})

test('one person may sign in many times at once', async () => {
  const person = await service.person()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => visitorOf(service).signIn(person.email, person.password)),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

const atOnce = (email: string, tries: number) =>
  Promise.all(
    Array.from({ length: tries }, (_, n) => beginLoginAttempt(service.database, email, clientAt(`100.64.2.${n}`))),
  )

async function fail(email: string, times: number, from?: Visitor): Promise<void> {
  for (let failure = 0; failure < times; failure += 1)
    expect((await (from ?? visitorOf(service)).signIn(email, 'wrong password')).status).toBe(401)
}
