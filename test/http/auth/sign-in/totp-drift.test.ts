import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import type { Person, Service } from '../../../support/service.ts'
import { codeAt, newClient, startIssuer } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const stepMs = 30_000
const wrong = { status: 403, code: 'code_refused' }

/** Moves the clock to five seconds after the start of a step, so that no step ends during a test. */
function settle(): void {
  const intoStep = service.clock.now() % stepMs
  service.clock.advanceSeconds((stepMs - intoStep) / 1_000 + 5)
}

/** An account with an authenticator whose clock is ahead of ours by this many steps. */
async function authenticator(): Promise<{ person: Person; enrol: (distance: number) => Promise<number>; show: Show }> {
  settle()
  const person = await service.person()
  const { password, token } = person
  const begun = await newClient(service).post('/auth/factors', { friendlyName: 'Phone', password }, token)
  const { id, secret } = begun.body as { id: string; secret: string }
  const codeOf = (distance: number) => codeAt(secret, service.clock.now() + distance * stepMs)
  return {
    person,
    enrol: async (distance) =>
      (await newClient(service).post(`/auth/factors/${id}/verify`, { code: codeOf(distance) }, token)).status,
    show: async (distance) => {
      settle()
      return newClient(service).post('/auth/step-up', { factorId: id, code: codeOf(distance) }, token)
    },
  }
}
type Show = (distance: number) => Promise<Awaited<ReturnType<ReturnType<typeof newClient>['post']>>>

describe('the first code', () => {
  test.each([-2, -1, 0, 1, 2])('is accepted with a drift of %i steps, and so is the next', async (distance) => {
    const { enrol, show } = await authenticator()
    expect(await enrol(distance)).toBe(200)
    expect((await show(distance)).status).toBe(200)
  })

  test.each([-3, 3])('is rejected with a drift of %i steps', async (distance) => {
    const { enrol } = await authenticator()
    expect(await enrol(distance)).toBe(403)
  })
})

describe('accepted codes', () => {
  test.each([
    [0, [-1, 0]],
    [-1, [-1, 0]],
    [-2, [-2, -1]],
    [1, [0, 1]],
    [2, [1, 2]],
  ])('after a first code %i steps from now are those at %j', async (learned, right) => {
    const [first = 0] = right
    for (const distance of [first - 1, ...right, first + 2]) {
      const { enrol, show } = await authenticator()
      expect(await enrol(learned)).toBe(200)
      settle()
      settle()
      const { status } = await show(distance)
      expect(status, String(distance)).toBe(right.includes(distance) ? 200 : 403)
    }
  })

  test('include those of a slow user who later types fast', async () => {
    const { enrol, show } = await authenticator()
    expect(await enrol(-1)).toBe(200)
    for (const distance of [0, -1, 0, 0]) {
      settle()
      expect((await show(distance)).status).toBe(200)
    }
  })
})

describe('a clock that drifts', () => {
  test.each([1, -2])(
    'moves the stored drift by one step at the second code in a row that is %i steps from now',
    async (distance) => {
      const { enrol, show } = await authenticator()
      expect(await enrol(0)).toBe(200)
      settle()
      settle()
      expect(problemOf(await show(distance))).toEqual(wrong)
      expect((await show(distance)).status).toBe(200)
      expect((await show(distance)).status).toBe(200)
    },
  )

  test('does not move the drift with a repeated code, after more than five minutes, or beyond two steps', async () => {
    const { enrol, show } = await authenticator()
    expect(await enrol(2)).toBe(200)
    settle()
    for (let n = 0; n < 3; n += 1) expect(problemOf(await show(3))).toEqual(wrong)
    const other = await authenticator()
    expect(await other.enrol(0)).toBe(200)
    expect(problemOf(await other.show(1))).toEqual(wrong)
    service.clock.advanceSeconds(330)
    expect(problemOf(await other.show(1))).toEqual(wrong)
    service.clock.advanceSeconds(-35)
    expect(problemOf(await other.show(1))).toEqual(wrong)
  })
})
