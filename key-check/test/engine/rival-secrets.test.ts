import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createFailureCounts } from '../../engine/failures.ts'
import type { FailureCounts } from '../../index.ts'
import { type ProvidersSimulator } from '../../simulator/server.ts'
import { resultOf, simulatorForTest, openForTest } from './harness.ts'

const sts = '/?Action=GetCallerIdentity&Version=2011-06-15'

/** As AWS: for 5 s after a wrong secret, every other secret of the ID is rejected too. `rejected` counts right secrets. */
function confuseSecrets(simulator: ProvidersSimulator, now: () => number): { rejected: number } {
  const counted = { rejected: 0 }
  const wrong = simulator.recordings
    .find(({ id, asks }) => id === 'route53' && !asks)
    ?.answers.find(({ name }) => name === 'wrong-secret')
  if (!wrong) throw new Error('There is no recording of a wrong secret')
  let untilMs = 0
  simulator.change = (answer, { path }) => {
    if (path !== sts) return answer
    if (answer.status === 403) untilMs = now() + 5_000
    if (now() >= untilMs || answer.status === 403) return answer
    counted.rejected += 1
    return { ...wrong, headers: {} }
  }
  return counted
}

/** Two processes that share their counts, and a clock that runs and can be moved. */
async function startTwo(counts?: FailureCounts) {
  const simulator = await simulatorForTest()
  let movedMs = 0
  const now = () => Date.now() + movedMs
  const shared = { failureCounts: counts ?? createFailureCounts(now), digestKey: randomBytes(32) }
  const open = async () => {
    const checks = await openForTest({
      ...shared,
      baseUrls: simulator.baseUrls,
      now,
      limits: { callsPerSecondMax: 0 },
    })
    const parts = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' }
    return (name: string) =>
      resultOf(checks.check({ provider: 'route53', keyType: 'api_key', apiKey: `route53-${name}`, parts }))
  }
  const move = (seconds: number) => {
    movedMs += seconds * 1_000
  }
  return { simulator, now, move, checks: [await open(), await open()] as const }
}

const valid = { outcome: 'valid', code: 'valid' }
const wrong = { outcome: 'invalid', code: 'wrong_part' }

test.each(['the same process', 'another process'])(
  'the right AWS secret within 5 s of a wrong one is valid: %s',
  async (where) => {
    const { simulator, now, move, checks } = await startTwo()
    const counted = confuseSecrets(simulator, now)
    expect(await checks[0]('wrong-secret')).toEqual(wrong)
    move(3)
    expect(await checks[where === 'the same process' ? 0 : 1]('valid')).toEqual(valid)
    expect(counted.rejected).toBe(1)
  },
)

test('a wrong secret is judged at once if no other secret of the ID was wrong within 10 s', async () => {
  const { simulator, move, checks } = await startTwo()
  const callsFor = async () => {
    const before = simulator.received.length
    expect(await checks[0]('wrong-secret')).toEqual(wrong)
    return simulator.received.length - before
  }
  expect(await callsFor()).toBe(1)
  // The same secret again.
  move(301)
  expect(await callsFor()).toBe(1)
})

test('a rejection proves nothing if a third secret of the ID was rejected during the wait', async () => {
  const counts = createFailureCounts(Date.now)
  let reads = 0
  const { simulator, move, checks } = await startTwo({
    ...counts,
    async take(request) {
      const taken = await counts.take(request)
      if (request.shares.length > 0) return taken
      reads += 1
      const third = { askedBy: 'another secret', checkedAtMs: Date.now() + 60_000, outcome: {} }
      return reads === 3 ? { ...taken, known: third } : taken
    },
  })
  confuseSecrets(simulator, () => 0)
  expect(await checks[0]('wrong-secret')).toEqual(wrong)
  move(4)
  expect(await checks[0]('valid')).toEqual({ outcome: 'undetermined', code: 'provider_refused' })
})
