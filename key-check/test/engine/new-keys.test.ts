import { expect, test } from 'vitest'
import type { ServedAnswer } from '../../simulator/server.ts'
import { check as checkRecorded } from '../providers/recorded-check.ts'
import { openForTest, providers, quickLimits, simulatorForTest, startMs, verdictOf } from './harness.ts'

/** The recorded rejection of a key that the provider may not know yet. */
const rejections = [
  ['route53', 'unknown-id'],
  ['azure', 'wrong-secret'],
  ['azure', 'unknown-client'],
  ['googlecloud', 'deleted'],
  ['ibmcloud', 'unknown'],
] as const

async function start(id: string, rejection: string) {
  const simulator = await simulatorForTest()
  const recording = simulator.recordings.find((one) => one.id === id && one.asks === undefined)
  const rejected = recording?.answers.find(({ name }) => name === rejection)
  if (!recording || !rejected) throw new Error(`There is no recording ${id} ${rejection}`)
  let nowMs = startMs
  const keyChecks = await openForTest({
    providers,
    baseUrls: simulator.baseUrls,
    limits: quickLimits,
    now: () => nowMs,
  })
  return {
    /** So many first calls are rejected. */
    rejectFirst(count: number) {
      const before = simulator.received.length
      simulator.change = (answer: ServedAnswer) =>
        simulator.received.length <= before + count ? { ...rejected, headers: {} } : answer
    },
    check: () => verdictOf(checkRecorded(keyChecks, recording, { name: 'valid' })),
    calls: () => simulator.received.length,
    wait: (seconds: number) => {
      nowMs += seconds * 1_000
    },
  }
}

test.each(rejections)('a new key that %s rejects at first is valid (%s)', async (id, rejection) => {
  const { rejectFirst, check } = await start(id, rejection)
  rejectFirst(1)
  expect(await check()).toMatchObject({ outcome: 'valid' })
})

test.each(rejections)(
  'a key that %s rejects twice is invalid for 5 s, and the message says what to do if it is new (%s)',
  async (id, rejection) => {
    const { rejectFirst, check, calls, wait } = await start(id, rejection)
    rejectFirst(2)
    const { outcome, message } = await check()
    expect([outcome, calls()]).toEqual(['invalid', 2])
    expect(message).toMatch(/; copy it again, or if you created it in the last minute, try again then\.$/)
    wait(4)
    expect((await check()).outcome).toBe('invalid')
    expect(calls()).toBe(2)
    wait(2)
    expect((await check()).outcome).toBe('valid')
  },
)

test('every provider that rejects new keys has a time and its source', async () => {
  const found = [...providers.values()].flatMap(({ id, newKeys }) => (newKeys ? [{ id, ...newKeys }] : []))
  expect(new Set(rejections.map(([id]) => id))).toEqual(new Set(found.map(({ id }) => id)))
  for (const { settlesAfterMs, source } of found) {
    expect(settlesAfterMs).toBeGreaterThanOrEqual(1_000)
    expect(source).toMatch(/^[\w-]+\/[\w-]+#\d+/)
  }
})
