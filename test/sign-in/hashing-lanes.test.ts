import { expect, test } from 'vitest'
import { type HashingLane, hashingLimits } from '../../src/sign-in/passwords/hashing-queue.ts'
import { problemOf } from '../support/problem.ts'
import { type Service, serviceForTest } from '../support/service.ts'
import { newClient } from './test-client.ts'

const limits = hashingLimits(1)

/** Takes every turn of hashing until `end` is called. `wait` puts so many others into a lane. */
function busy({ parts: { issuer } }: Service) {
  if (!issuer) throw new Error('the built-in issuer is disabled')
  const { hashing } = issuer
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const wait = (count: number, lane: HashingLane) =>
    Promise.all(Array.from({ length: count }, () => hashing.run(lane, () => ended)))
  const running = wait(limits.turns, { isKnown: true })
  return { hashing, wait, running, end }
}

test('503 overloaded — one sign-up too many of a network that four of it wait for; those four and another network’s are served', async () => {
  const service = await serviceForTest({ env: { MUSTER_TRUSTED_PROXIES: '127.0.0.1', MUSTER_SIGN_UP: 'open' } })
  const { running, end } = busy(service)
  const signUp = (client: ReturnType<typeof newClient>, name: string) =>
    client.post('/auth/sign-up', { email: `${name}@example.com`, password: 'seventeen small turtles' })
  // Of one /48, each in a /56 of its own.
  const flood = Array.from({ length: limits.networkPlaces + 1 }, (_, n) => newClient(service, `2001:db8:1:${n}00::1`))
  const answers = flood.map((client, n) => signUp(client, `flood-${n}`))
  expect(problemOf(await Promise.race(answers))).toEqual({ status: 503, code: 'overloaded' })
  const another = signUp(newClient(service), 'ada')
  end()
  await running
  const statuses = (await Promise.all([another, ...answers])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([...Array(limits.networkPlaces + 1).fill(201), 503])
})

test('201 — the password of an open session waits among the known, and is compared although strangers have taken all of their places', async () => {
  const service = await serviceForTest()
  const { token, password } = await service.person()
  const { hashing, wait, running, end } = busy(service)
  const waiting = [wait(limits.freshPlaces, { isKnown: false }), wait(limits.knownPlaces - 1, { isKnown: true })]
  const answer = newClient(service).post('/auth/factors', { friendlyName: 'Phone', password }, token)
  await Promise.race([answer, expect.poll(() => hashing.hasPlace({ isKnown: true })).toBe(false)])
  end()
  await Promise.all([running, ...waiting])
  expect((await answer).status).toBe(201)
})
