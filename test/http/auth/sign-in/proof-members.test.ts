import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAuthenticator } from '../../../support/authenticator.ts'
import { origin, startPasskeyIssuer } from '../../../support/passkey-client.ts'
import type { Answer, Service } from '../../../support/service.ts'
import { newClient } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startPasskeyIssuer()
})
afterAll(() => service.stop())

const members = {
  factorId: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55',
  code: '123456',
  recoveryCode: 'abcde-fghij-kmnpq-rstuv',
  credential: newAuthenticator({ origin }).get({ challenge: 'Y2hhbGxlbmdl', rpId: 'muster.test' }),
}
const names = ['factorId', 'code', 'recoveryCode', 'credential'] as const
type Names = readonly (typeof names)[number][]

/** Every combination of members that is neither empty nor exactly one proof. */
const wrong: readonly Names[] = Array.from({ length: 16 }, (_, bits) => names.filter((_name, at) => bits & (1 << at)))
  .filter((chosen) => chosen.length > 0)
  .filter((chosen) => !['factorId code', 'recoveryCode', 'credential'].includes(chosen.join(' ')))

const bodyOf = (chosen: Names) => Object.fromEntries(chosen.map((name) => [name, members[name]]))

function expectOneProof(answer: Answer): void {
  expect([answer.status, answer.body], answer.text).toEqual([
    400,
    {
      ...{ type: expect.stringContaining('input_invalid'), title: expect.any(String), status: 400 },
      ...{
        code: 'input_invalid',
        detail: 'See `errors` for every invalid value.',
        instance: expect.stringMatching(/^urn:uuid:/),
      },
      errors: [
        {
          pointer: '',
          detail: 'must contain one proof: factorId and code, recoveryCode, or credential where it is allowed',
        },
      ],
    },
  ])
}

test('there are twelve invalid combinations', () => {
  expect(wrong).toHaveLength(12)
})

describe('400 input_invalid unless there is exactly one proof', () => {
  test.each(wrong.map((chosen) => [chosen.join(', '), chosen] as const))('%s', async (_, chosen) => {
    const client = newClient(service)
    const { email, password, token } = await service.person()
    const proof = bodyOf(chosen)
    expectOneProof(await client.post('/auth/sign-in/second-step', { challenge: 'mct_x', ...proof }))
    expectOneProof(await client.post('/auth/account/keep', { challenge: 'mct_x', ...proof }))
    expectOneProof(await client.post('/auth/recovery/complete', { token: 'mlk_x', ...proof }))
    expectOneProof(await client.post('/auth/step-up', proof, token))
    if (!('credential' in proof)) expectOneProof(await client.signIn(email, password, proof))
  })
})
