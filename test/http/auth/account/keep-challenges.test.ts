import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import type { Person, Service } from '../../../support/service.ts'
import {
  codeAt,
  type EnrolledFactor,
  enrol,
  laterCode,
  newClient,
  passTime,
  startIssuer,
  tokensOf,
} from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const over = { status: 401, code: 'challenge_invalid' }
const keep = (body: object) => newClient(service).post('/auth/account/keep', body)

async function erasing({ id, email, password, token }: Person): Promise<string> {
  await service.sql(`update session set proved_at = now(), amr = '{pwd,otp,mfa}' where account_id = $1`, [id])
  expect((await newClient(service).post('/auth/account/erase', undefined, token)).status).toBe(202)
  const answer = await newClient(service).signIn(email, password)
  expect(problemOf(answer)).toEqual({ status: 403, code: 'account_erasing' })
  return (answer.body as { challenge: string }).challenge
}

async function member(): Promise<{ person: Person; factor: EnrolledFactor; proof: () => object }> {
  const person = await service.person()
  const factor = await enrol(service, person.token, { password: person.password })
  laterCode(service)
  return { person, factor, proof: () => ({ factorId: factor.id, code: codeAt(factor.secret, service.clock.now()) }) }
}

const isErasing = async ({ id }: Person) =>
  (await service.sql('select from account where id = $1 and erases_at is not null and disabled_at is not null', [id]))
    .length === 1
const sessionsOf = ({ id }: Person) =>
  service.sql('select from session where account_id = $1 and ended_at is null', [id])

const expire = ({ id }: Person) =>
  service.sql(`update sign_in_challenge set expires_at = now() where account_id = $1`, [id])

async function expectNotKept(person: Person, body: object): Promise<void> {
  expect(problemOf(await keep(body))).toEqual(over)
  expect(await isErasing(person)).toBe(true)
  expect(await sessionsOf(person)).toEqual([])
}

describe('POST /auth/account/keep returns 401 challenge_invalid, and the deletion continues,', () => {
  test('after five minutes, with the password alone', async () => {
    const person = await service.person()
    const challenge = await erasing(person)
    await expire(person)
    await expectNotKept(person, { challenge })
  })

  test('after five minutes, with a correct second factor', async () => {
    const { person, factor, proof } = await member()
    const challenge = await erasing(person)
    await expire(person)
    await expectNotKept(person, { challenge, ...proof() })
    await expectNotKept(person, { challenge, recoveryCode: factor.recoveryCodes[0] })
  })

  test('after five wrong codes', async () => {
    const { person, proof } = await member()
    const challenge = await erasing(person)
    for (let n = 0; n < 5; n += 1) {
      expect(problemOf(await keep({ challenge, recoveryCode: 'wrong' }))).toEqual({ status: 403, code: 'code_refused' })
      await passTime(service, 3_600)
    }
    await expectNotKept(person, { challenge, ...proof() })
  })

  test('for a used challenge, when the account is scheduled for deletion again', async () => {
    const person = await service.person()
    const challenge = await erasing(person)
    const { access } = tokensOf(await keep({ challenge }))
    expect(await isErasing(person)).toBe(false)
    const next = await erasing({ ...person, token: access })
    await expectNotKept(person, { challenge })
    tokensOf(await keep({ challenge: next }))
  })
})

test('POST /auth/account/keep returns 403 factor_required without the second factor of the account', async () => {
  const { person, proof } = await member()
  const challenge = await erasing(person)
  expect(problemOf(await keep({ challenge }))).toEqual({ status: 403, code: 'factor_required' })
  expect(await isErasing(person)).toBe(true)
  tokensOf(await keep({ challenge, ...proof() }))
})
