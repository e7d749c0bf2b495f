import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openKeyChecks } from '../../engine/check.ts'
import type { Result } from '../../index.ts'
import type { RecordedAnswer } from '../../simulator/recording.ts'
import {
  type ProvidersSimulator,
  readRecordings,
  type ServedAnswer,
  startProvidersSimulator,
} from '../../simulator/server.ts'
import { anyBody } from './any-body.ts'
import { check, optionsFor } from './recorded-check.ts'

const runs = 10_000

const recordings = await readRecordings()
/** Each recorded answer that decides about its key. */
const decided = recordings.flatMap((recording) =>
  recording.answers.filter(({ verdict }) => verdict).map((answer) => ({ recording, answer })),
)
/** Without empty lists: they have the same form everywhere, so the provider itself could have sent one. */
const foreign = recordings.flatMap(({ id, answers }) =>
  answers.filter(({ body }) => JSON.stringify(body) !== '[]').map(({ status, body }) => ({ id, status, body })),
)

/** Changes the answer to one of the calls of a check. */
type Damage = (answer: ServedAnswer, id: string) => ServedAnswer

const damages: fc.Arbitrary<Damage> = fc.oneof(
  fc.integer({ min: 201, max: 599 }).map((status) => (answer: ServedAnswer) => ({ ...answer, status })),
  fc.constantFrom(200, 400, 401, 403, 404).map((status) => (answer: ServedAnswer) => ({ ...answer, status })),
  fc.double({ min: 0, max: 0.99, noNaN: true }).map((part) => (answer: ServedAnswer) => {
    const text = textOf(answer)
    return { ...answer, body: text.slice(0, Math.floor(text.length * part)) }
  }),
  fc.constantFrom('text/html', 'application/xml', 'application/octet-stream').map((type) => (answer: ServedAnswer) => ({
    ...answer,
    headers: { ...answer.headers, 'content-type': type },
    body: `<html>${textOf(answer)}</html>`,
  })),
  fc
    .record({ status: fc.constantFrom(200, 400, 401, 403, 404, 500), body: fc.constantFrom(...anyBody) })
    .map((generic) => () => generic),
  // An answer of another provider, as a proxy that confuses its targets would send it.
  fc.constantFrom(...foreign).map(
    ({ id: other, status, body }) =>
      (answer: ServedAnswer, id: string) =>
        other === id ? answer : { status, body },
  ),
  fc.constantFrom({}, null, 'OK', [[]]).map((body) => (answer: ServedAnswer) => ({ ...answer, body })),
)

const textOf = ({ body }: ServedAnswer): string => (typeof body === 'string' ? body : JSON.stringify(body))

let simulator: ProvidersSimulator
beforeAll(async () => {
  simulator = await startProvidersSimulator()
})
afterAll(() => simulator.close())

test('no fault turns the verdict on a key, or on its purpose, into the opposite', async () => {
  const wrong: string[] = []
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...decided), damages, fc.nat(2), async ({ recording, answer }, damage, call) => {
      let calls = 0
      let sent = ''
      simulator.received.length = 0
      simulator.change = (served, { id }) => {
        if (calls++ !== call) return served
        const damaged = damage(served, id)
        sent = JSON.stringify(damaged)
        return damaged
      }
      const keyChecks = await openKeyChecks(optionsFor(simulator))
      const result = await check(keyChecks, recording, answer)
      await keyChecks.close()
      expect(calls).toBeLessThanOrEqual(4)
      if (isOpposite(result, answer)) wrong.push(`${recording.id} ${answer.name} ${call}: ${sent.slice(0, 300)}`)
    }),
    { numRuns: runs },
  )
  expect([...new Set(wrong)].sort()).toEqual([])
})

function isOpposite(result: Result, { verdict, shows }: RecordedAnswer): boolean {
  if (result.outcome === 'undetermined') return false
  const pair = [shows?.fitsPurpose, result.outcome === 'valid' ? result.details.fitsPurpose : undefined]
  const isOtherFit = pair.includes('yes') && pair.includes('no')
  return isOtherFit || verdict?.isValid !== (result.outcome === 'valid')
}
