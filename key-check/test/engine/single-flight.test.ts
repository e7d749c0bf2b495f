import { expect, test } from 'vitest'
import { abandoned } from '../../engine/backpressure.ts'
import { createSingleFlight } from '../../engine/outcomes.ts'

/** Work that the test finishes; counts its starts and records whether its signal aborted. */
function controlledWork() {
  const started: { signal: AbortSignal; finish: (value: string) => void; fail: (error: Error) => void }[] = []
  const work = ({ signal }: AbortController) =>
    new Promise<string>((finish, fail) => {
      started.push({ signal, finish, fail })
    })
  return { work, started }
}

test('callers with the same key share one run, callers with another key do not', async () => {
  const { work, started } = controlledWork()
  const flights = createSingleFlight<string>()
  const results = [flights.run('a', work), flights.run('a', work), flights.run('b', work)]
  started[0]?.finish('one')
  started[1]?.finish('other')
  expect(await Promise.all(results)).toEqual(['one', 'one', 'other'])
  expect(started).toHaveLength(2)
})

test('a finished run is not kept: the next caller starts a new one, and a failure reaches every caller', async () => {
  const { work, started } = controlledWork()
  const flights = createSingleFlight<string>()
  const failing = [flights.run('a', work), flights.run('a', work)]
  started[0]?.fail(new Error('no'))
  for (const result of failing) await expect(result).rejects.toThrow('no')
  const next = flights.run('a', work)
  started[1]?.finish('yes')
  expect(await next).toBe('yes')
  expect(started[0]?.signal.aborted).toBe(false)
})

test('a caller who leaves does not end the run; the last one aborts it, and the next starts a new one', async () => {
  const { work, started } = controlledWork()
  const flights = createSingleFlight<string>()
  const [one, other] = [new AbortController(), new AbortController()]
  const results = [flights.run('a', work, one.signal), flights.run('a', work, other.signal)]
  one.abort(new Error('one left'))
  await expect(results[0]).rejects.toThrow('one left')
  expect(started[0]?.signal.aborted).toBe(false)
  other.abort(new Error('other left'))
  await expect(results[1]).rejects.toThrow('other left')
  expect(started[0]?.signal.reason).toBe(abandoned)
  const next = flights.run('a', work)
  started[1]?.finish('again')
  expect(await next).toBe('again')
})

test('a caller whose signal has already aborted starts nothing', async () => {
  const { work, started } = controlledWork()
  const result = createSingleFlight<string>().run('a', work, AbortSignal.abort(new Error('gone')))
  await expect(result).rejects.toThrow('gone')
  expect(started).toEqual([])
})

test('abortAll aborts every run', async () => {
  const { work, started } = controlledWork()
  const flights = createSingleFlight<string>()
  const results = [flights.run('a', work), flights.run('b', work)]
  flights.abortAll()
  expect(started.map(({ signal }) => signal.aborted)).toEqual([true, true])
  for (const { finish } of started) finish('ended')
  expect(await Promise.all(results)).toEqual(['ended', 'ended'])
})
