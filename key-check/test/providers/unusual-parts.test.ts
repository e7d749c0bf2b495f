import { expect, test } from 'vitest'
import { simulatorForTest } from '../engine/harness.ts'
import { open } from './recorded-check.ts'

const unknownId = { status: 200, body: { Response: { Error: { Code: 'AuthFailure.SecretIdNotFound' } } } }
const badClock = { status: 200, body: { Response: { Error: { Code: 'AuthFailure.SignatureExpire' } } } }
const valid = { status: 200, body: { Response: { AccountId: '1', Arn: 'qcs::cam::uin/1:uin/1' } } }
const hint = 'the SecretId does not look like one, so check that it is the right value.'

test.each([
  ['a rejected ID of another form is named', '1251234567', unknownId, hint],
  [
    'a rejected ID of the usual form is to be copied again',
    'AKIDexample',
    unknownId,
    'copy it again or create a new one.',
  ],
  [
    'an unusual form is not mentioned if nothing was judged',
    '1251234567',
    badClock,
    'ask the operator to set the clock.',
  ],
  ['an unusual form does not matter if the provider accepts it', '1251234567', valid, 'did not show what it can do'],
])('%s', async (_, secretId, answer, next) => {
  const simulator = await simulatorForTest()
  const keyChecks = await open(simulator)
  simulator.fault = () => answer
  const { message } = await keyChecks.check({
    provider: 'tencentcloud',
    keyType: 'api_key',
    apiKey: 'example',
    parts: { secretId },
  })
  expect(message).toContain(next)
  expect(message).not.toContain(secretId)
  if (next !== hint) expect(message).not.toContain('does not look like')
})
