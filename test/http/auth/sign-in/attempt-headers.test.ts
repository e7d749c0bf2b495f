import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import type { Answer, Service } from '../../../support/service.ts'
import { newClient, startIssuer } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer({ env: { MUSTER_SIGN_INS_PER_MINUTE: '3' } })
})
afterAll(() => service.stop())

const limitOf = ({ headers }: Answer) => [headers['ratelimit-policy'], headers.ratelimit]
const left = (count: number) => [
  '"sign-ins";q=3;w=60',
  expect.stringMatching(new RegExp(`^"sign-ins";r=${count};t=\\d+$`)),
]
const wrong = { email: 'nobody@example.com', password: 'wrong horse' }

describe('RateLimit headers', () => {
  test('count sign-ins per network, and the next attempt gets 429 rate_limited', async () => {
    const client = newClient(service)
    const person = await service.person()
    const right = await client.signIn(person.email, person.password)
    expect([right.status, ...limitOf(right)]).toEqual([200, ...left(2)])
    for (const count of [1, 0]) {
      const refused = await client.post('/auth/sign-in', wrong)
      expect([refused.status, ...limitOf(refused)]).toEqual([401, ...left(count)])
    }
    const over = await client.post('/auth/recovery/complete', { token: 'mlk_x' })
    expect(problemOf(over)).toEqual({ status: 429, code: 'rate_limited' })
    expect(limitOf(over)).toEqual(left(0))
    expect(limitOf(await newClient(service).post('/auth/sign-in', wrong))).toEqual(left(2))
  })

  test('count per account in an open session, from any network', async () => {
    const [{ token }, other] = [await service.person(), await service.person()]
    const ask = (of: string) => newClient(service).post('/auth/step-up', { password: 'wrong horse' }, of)
    for (const count of [2, 1, 0]) {
      const answer = await ask(token)
      expect([answer.status, ...limitOf(answer)]).toEqual([403, ...left(count)])
    }
    expect(problemOf(await ask(token))).toEqual({ status: 429, code: 'rate_limited' })
    expect(limitOf(await ask(other.token))).toEqual(left(2))
  })
})
