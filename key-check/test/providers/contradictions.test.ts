import { expect, test } from 'vitest'
import { classify } from '../../engine/classify.ts'
import { defaultLimits } from '../../engine/limits.ts'
import { parseJson } from '../../engine/provider-client.ts'
import { answerBodyFor, type RecordedAnswer, type Recording } from '../../simulator/recording.ts'
import { readRecordings } from '../../simulator/server.ts'
import { startMs } from '../engine/harness.ts'
import { providers } from './recorded-check.ts'

const recordings = (await readRecordings()).filter(({ asks }) => asks === undefined)

/** The members of the JSON object; undefined for any other body. */
function membersOf({ body }: RecordedAnswer): object | undefined {
  const read = parseJson(answerBodyFor({ body }, 'key'))
  return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : undefined
}

interface Sent extends Pick<RecordedAnswer, 'status' | 'headers'> {
  readonly body: object
}

function outcomeOf({ id, keyType, parts = {} }: Recording, { status, headers = {}, body }: Sent): string {
  const traits = { keyType, shape: 'any' }
  const probe = providers.get(id)?.firstProbe({ ...traits, parts: new Set(Object.keys(parts)) })
  if (!probe) throw new Error(`There is no provider ${id}`)
  const answer = {
    kind: 'answer',
    ...traits,
    status,
    headers,
    body,
    text: JSON.stringify(body),
    nowMs: startMs,
  } as const
  const found = classify(probe, answer, defaultLimits)
  return found.kind === 'retry' ? found.otherwise.kind : found.kind
}

/** A success and a rejection of one provider without a common member. */
function pairsOf(recording: Recording): { status: number; body: object; name: string }[] {
  const accepted = recording.answers.filter(({ verdict, status }) => verdict?.isValid && status < 300)
  // A rejection by its status or its headers alone has no known members.
  const rejected = recording.answers.filter(
    ({ verdict, ...answer }) =>
      verdict?.isValid === false && outcomeOf(recording, { ...answer, body: {} }) !== 'invalid',
  )
  return accepted.flatMap((one) =>
    rejected.flatMap((other) => {
      const [yes, no] = [membersOf(one), membersOf(other)]
      if (!yes || !no || Object.keys(no).some((name) => Object.hasOwn(yes, name))) return []
      const name = `${recording.id}: ${one.name} and ${other.name}`
      return [one.status, other.status].map((status) => ({ status, body: { ...yes, ...no }, name }))
    }),
  )
}

test('an answer with the members of a success and of a rejection proves nothing, at every provider and with both statuses', () => {
  const pairs = recordings.flatMap((recording) => pairsOf(recording).map((pair) => ({ recording, ...pair })))
  expect(new Set(pairs.map(({ recording }) => recording.id)).size).toBeGreaterThan(20)
  const decided = pairs.flatMap(({ recording, status, body, name }) => {
    const outcome = outcomeOf(recording, { status, body })
    return outcome === 'undetermined' || outcome === 'next_probe' ? [] : [`${name} with ${status}: ${outcome}`]
  })
  expect(decided).toEqual([])
})

test('a success that answers with the status of a rejection proves nothing, and the reverse', () => {
  const decided = recordings.flatMap((recording) =>
    recording.answers.flatMap((answer) => {
      const body = membersOf(answer)
      if (!body || !answer.verdict) return []
      const others = answer.status < 300 ? [400, 401, 403] : [200]
      const wrong = answer.verdict.isValid ? 'invalid' : 'valid'
      return others
        .filter((status) => outcomeOf(recording, { status, body }) === wrong)
        .map((status) => `${recording.id} ${answer.name} with ${status}`)
    }),
  )
  expect(decided).toEqual([])
})

const token = { access_token: 'ya29.token', expires_in: 3_599, token_type: 'Bearer' }

test.each([
  ['googlecloud', { ...token, error: 'invalid_grant' }],
  ['googlecloud', { ...token, access_token: 'ya29.to\nken' }],
  ['googlecloud', { ...token, access_token: 'ya29.to\0ken' }],
  ['azure', { ...token, error: 'invalid_client', error_codes: [7_000_215] }],
])('a token that contradicts itself proves nothing: %s %j', (id, body) => {
  const recording = recordings.find((one) => one.id === id)
  if (!recording) throw new Error('The provider has no recording')
  for (const status of [200, 400, 401]) expect(outcomeOf(recording, { status, body }), `${status}`).toBe('undetermined')
})
