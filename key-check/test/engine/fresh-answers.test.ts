import { expect, test } from 'vitest'
import { openForTest, simulatorForTest, startMs, verdictOf } from './harness.ts'

/** A valid key of a provider whose first answer has all zones. */
async function startWithZones(...zones: string[]) {
  const simulator = await simulatorForTest()
  const seen = new Set(zones)
  simulator.change = (answer) => ({ ...answer, body: [...seen].map((name) => ({ id: name, name, type: 'NATIVE' })) })
  let nowMs = startMs
  const keyChecks = await openForTest({ baseUrls: simulator.baseUrls, now: () => nowMs })
  const check = async (zone?: string) => {
    const purpose = zone === undefined ? undefined : { zone }
    const key = { provider: 'ionos', keyType: 'api_key', apiKey: 'ionos-valid', for: purpose } as const
    const { cached, fitsPurpose } = (await verdictOf(keyChecks.check(key))).details
    return [fitsPurpose, cached]
  }
  const wait = (seconds: number) => {
    nowMs += seconds * 1_000
  }
  return { check, wait, add: (zone: string) => seen.add(zone) }
}

test('a verdict that lacks the zone of the purpose is kept for 10 s, and the same verdict for another zone for a minute', async () => {
  const { check, wait, add } = await startWithZones('example.com')
  expect(await check('example.org')).toEqual(['no', false])
  add('example.org')
  wait(10)
  expect(await check('example.org')).toEqual(['no', true])
  wait(1)
  expect(await check('example.com')).toEqual(['yes', true])
  expect(await check('example.org')).toEqual(['yes', false])
  wait(59)
  expect(await check('example.org')).toEqual(['yes', true])
})

test('a verdict without any zone is kept for 10 s', async () => {
  const { check, wait, add } = await startWithZones()
  await check()
  add('example.org')
  wait(11)
  expect(await check()).toEqual([undefined, false])
})
