import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createFailureCounts } from '../../failure-counts.ts'
import type { ProvidersSimulator } from '../../simulator/server.ts'
import { openForTest, resultOf, simulatorForTest, startMs } from './harness.ts'

const sts = '/?Action=GetCallerIdentity&Version=2011-06-15'

/** As AWS: for 5 s after a wrong secret, every other secret of the ID is rejected too. `onRejected` runs when a right one is. */
function confuseSecrets(simulator: ProvidersSimulator, now: () => number, onRejected = () => {}): void {
  const wrong = simulator.recordings
    .find(({ id, asks }) => id === 'route53' && !asks)
    ?.answers.find(({ name }) => name === 'wrong-secret')
  if (!wrong) throw new Error('There is no recording of a wrong secret')
  let untilMs = 0
  simulator.change = (answer, { path }) => {
    if (path !== sts) return answer
    if (answer.status === 403) untilMs = now() + 5_000
    if (now() >= untilMs || answer.status === 403) return answer
    onRejected()
    return { ...wrong, headers: {} }
  }
}

/** Two processes that share their counts, and a clock that stands still until the first wait. */
async function startTwo(makeCounts = createFailureCounts) {
  const simulator = await simulatorForTest()
  let movedMs = 0
  let runsSinceMs: number | undefined
  const now = () => startMs + movedMs + (runsSinceMs === undefined ? 0 : performance.now() - runsSinceMs)
  const shared = { failureCounts: makeCounts(now), digestKey: randomBytes(32), baseUrls: simulator.baseUrls, now }
  const open = async () => {
    const checks = await openForTest(shared)
    const parts = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' }
    return (name: string) =>
      resultOf(checks.check({ provider: 'route53', keyType: 'api_key', apiKey: `route53-${name}`, parts }))
  }
  const clock = {
    move(seconds: number) {
      movedMs += seconds * 1_000
    },
    run() {
      runsSinceMs ??= performance.now()
    },
  }
  return { simulator, now, clock, checks: [await open(), await open()] as const }
}

const valid = { outcome: 'valid', code: 'valid' }
const wrong = { outcome: 'invalid', code: 'wrong_part' }

test.each(['the same process', 'another process'])(
  'the right AWS secret within 5 s of a wrong one is valid: %s',
  async (where) => {
    const { simulator, now, clock, checks } = await startTwo()
    let rejected = 0
    confuseSecrets(simulator, now, () => {
      rejected += 1
      clock.run()
    })
    expect(await checks[0]('wrong-secret')).toEqual(wrong)
    clock.move(4.8)
    expect(await checks[where === 'the same process' ? 0 : 1]('valid')).toEqual(valid)
    expect(rejected).toBe(1)
  },
)

test('a wrong secret is judged at once if no other secret of the ID was wrong within 10 s', async () => {
  const { simulator, clock, checks } = await startTwo()
  const callsFor = async () => {
    const before = simulator.received.length
    expect(await checks[0]('wrong-secret')).toEqual(wrong)
    return simulator.received.length - before
  }
  expect(await callsFor()).toBe(1)
  // The same secret again.
  clock.move(301)
  expect(await callsFor()).toBe(1)
})

test('a rejection proves nothing if a third secret of the ID was rejected during the wait', async () => {
  let reads = 0
  const { simulator, clock, checks } = await startTwo((now) => {
    const counts = createFailureCounts(now)
    return {
      ...counts,
      async take(request) {
        const taken = await counts.take(request)
        if (request.shares.length > 0) return taken
        reads += 1
        const third = { askedBy: 'another secret', checkedAtMs: now() + 60_000, outcome: {} }
        return reads === 3 ? { ...taken, known: third } : taken
      },
    }
  })
  confuseSecrets(simulator, () => 0, clock.run)
  expect(await checks[0]('wrong-secret')).toEqual(wrong)
  clock.move(4.8)
  expect(await checks[0]('valid')).toEqual({ outcome: 'undetermined', code: 'provider_refused' })
})
