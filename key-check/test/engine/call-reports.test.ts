import { expect, test } from 'vitest'

import { samples as S } from '../../../simulators/cloudflare/state.ts'
import { openForTest, resultOf, simulatorForTest, startHarness } from './harness.ts'

const refusal = JSON.stringify({ success: false, errors: [{ code: 10000, message: 'Authentication error' }] })

test('each call report has one word for what its answer proved', async () => {
  const outcomes: string[] = []
  const { outcomeOf, simulator } = await startHarness({ onCall: ({ outcome }) => outcomes.push(outcome) })
  const reported = async (apiKey: string) => {
    outcomes.length = 0
    await outcomeOf(apiKey)
    return [...outcomes]
  }
  expect(await reported(S.userToken)).toEqual(['valid'])
  expect(await reported(S.accountFiltered)).toEqual(['ip_filtered'])
  expect(await reported(S.disabled)).toEqual(['disabled'])
  expect(await reported(S.oldAccountToken)).toEqual(['next_probe', 'next_probe', 'valid'])
  simulator.control.nextFaults = ['reset_before_headers', 'html_502']
  expect(await reported(S.oldUserToken), 'tried once more because it may pass').toEqual([
    'unreachable',
    'unexpected_answer',
  ])
  simulator.control.answer = () => ({ status: 403, headers: {}, body: refusal })
  expect(await reported(S.expiring), 'asked once more because one answer proves nothing').toEqual([
    'retry',
    'retry',
    'refused',
  ])
})

test('the report says when a provider rejected the time, and includes the call with the corrected time', async () => {
  const simulator = await simulatorForTest()
  const outcomes: string[] = []
  const onCall = ({ outcome }: { outcome: string }) => outcomes.push(outcome)
  const keyChecks = await openForTest({ baseUrls: simulator.baseUrls, onCall })
  simulator.fault = () => ({ status: 400, headers: {}, body: { errorCode: 'QUERY_TIME_OUT' } })
  const parts = { applicationKey: 'application', consumerKey: 'consumer' }
  const check = keyChecks.check({ provider: 'ovh', keyType: 'api_key', apiKey: 'secret', parts })
  expect(await resultOf(check)).toEqual({ outcome: 'undetermined', code: 'provider_clock_refused' })
  expect(outcomes).toEqual(['clock_skew', 'clock_skew'])
})
