import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import type { Answer, Person, Service } from '../../../support/service.ts'
import { failuresOf, signInLimits } from '../../../support/sign-in-limits.ts'
import { codeAt, type EnrolledFactor, enrol, laterCode, newClient, startIssuer } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

interface Member extends Person {
  readonly factor: EnrolledFactor
}

async function member(): Promise<Member> {
  const person = await service.person()
  const factor = await enrol(service, person.token, { password: person.password })
  laterCode(service)
  return { ...person, factor }
}

const send = (method: string, path: string, token: string, body: object) =>
  newClient(service).send(method, path, { token, body })
const codeOf = ({ secret }: Pick<EnrolledFactor, 'secret'>) => codeAt(secret, service.clock.now())
const proofOf = ({ factor }: Member) => ({ factorId: factor.id, code: codeOf(factor) })

const failuresWith = (token: string) => failuresOf(service, signInLimits.session(token))

async function guess({ token, password, factor }: Member): Promise<void> {
  const wrong = { factorId: factor.id, code: '000000', recoveryCode: 'wrong' }
  const { recoveryCode, ...code } = wrong
  for (const proof of [code, { recoveryCode }])
    expect(problemOf(await send('POST', '/auth/step-up', token, proof)).code).toBe('code_refused')
  const change = { currentPassword: `${password}!`, newPassword: 'seventeen small turtles' }
  expect(problemOf(await send('PUT', '/auth/password', token, change)).code).toBe('password_wrong')
}

const right: Readonly<Record<string, (member: Member) => Promise<Answer>>> = {
  'a password change': ({ token, password }) =>
    send('PUT', '/auth/password', token, { currentPassword: password, newPassword: 'seventeen small turtles' }),
  'a code in a step-up': (person) => send('POST', '/auth/step-up', person.token, proofOf(person)),
  'a recovery code in a step-up': ({ token, factor }) =>
    send('POST', '/auth/step-up', token, { recoveryCode: factor.recoveryCodes[0] }),
  'the password when another factor is enrolled': ({ token, password }) =>
    send('POST', '/auth/factors', token, { friendlyName: 'Tablet', password }),
  'the password for new recovery codes': ({ token, password }) =>
    send('POST', '/auth/recovery-codes', token, { password }),
  'both proofs when a factor is removed': (person) =>
    send('POST', `/auth/factors/${person.factor.id}/remove`, person.token, {
      password: person.password,
      code: codeOf(person.factor),
    }),
}

describe('a correct proof clears the rate limit of an open session', () => {
  test.each(Object.keys(right))('%s', async (name) => {
    const person = await member()
    await guess(person)
    expect(await failuresWith(person.token)).toBe(3)
    const answer = await right[name]?.(person)
    expect(answer?.status, answer?.text).toBeLessThan(300)
    expect(await failuresWith(person.token)).toBe(0)
  })

  test('the first code of a factor', async () => {
    const { token, password } = await service.person()
    const added = await send('POST', '/auth/factors', token, { friendlyName: 'Phone', password })
    const { id, secret } = added.body as { id: string; secret: string }
    const verify = (code: string) => send('POST', `/auth/factors/${id}/verify`, token, { code })
    for (let n = 1; n <= 3; n += 1) {
      expect(problemOf(await verify('000000'))).toEqual({ status: 403, code: 'code_refused' })
      expect(await failuresWith(token)).toBe(n)
    }
    expect((await verify(codeOf({ secret }))).status).toBe(200)
    expect(await failuresWith(token)).toBe(0)
  })
})

test('a correct password with a wrong code takes one attempt of the session, and gives none back', async () => {
  const person = await member()
  const wrong = { password: person.password, factorId: person.factor.id, code: '000000' }
  for (let n = 1; n <= 10; n += 1) {
    const path = n % 2 === 0 ? '/auth/step-up' : `/auth/factors/${person.factor.id}/remove`
    expect(problemOf(await send('POST', path, person.token, wrong))).toEqual({ status: 403, code: 'code_refused' })
    expect(await failuresWith(person.token)).toBe(n)
  }
  const right = { ...proofOf(person), password: person.password }
  expect(problemOf(await send('POST', '/auth/step-up', person.token, right))).toEqual({
    status: 429,
    code: 'sign_in_wait',
  })
})

test('a rejected session charges no other session of the account', async () => {
  const person = await member()
  const other = await service.tokenFor(person.id)
  await guess(person)
  expect(await failuresWith(other)).toBe(0)
})
