import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyTypeNames } from '../../api.ts'
import { openKeyChecks } from '../../engine/check.ts'
import { classify } from '../../engine/classify.ts'
import { defaultLimits } from '../../engine/limits.ts'
import type { Probe, ProviderAnswer } from '../../engine/provider.ts'
import type { KeyTypeFacts } from '../../engine/provider-facts.ts'
import type { KeyChecks } from '../../index.ts'
import { headersFor, keyFor, type Recording } from '../../simulator/recording.ts'
import { type Fault, type ProvidersSimulator, readRecordings, startProvidersSimulator } from '../../simulator/server.ts'
import { resultOf, simulatorForTest, startMs } from '../engine/harness.ts'
import { anyBody } from './any-body.ts'
import { check, expectRecorded, open, optionsFor, providers } from './recorded-check.ts'

const recordings = await readRecordings()

test('every provider except Cloudflare has a recording, and every recording has a provider', () => {
  expect([...new Set(recordings.map(({ id }) => id))]).toEqual(
    [...providers.keys()].filter((id) => id !== 'cloudflare'),
  )
})

test('every provider shows what its keys can do, or says why not, and every read of it has a recording', () => {
  for (const { id, abilities, firstRead } of providers.values()) {
    if (typeof abilities === 'object' && 'unknown' in abilities) {
      expect(abilities.unknown, id).toMatch(/^[A-Z].{20,150}\.$/)
      continue
    }
    expect(firstRead, id).toBeDefined()
    if (typeof abilities === 'string' || id === 'cloudflare') continue
    const asked = recordings.filter((recording) => recording.id === id).flatMap(({ asks }) => asks ?? [])
    const zones = asked.map(({ zone }) => zone)
    expect(asked.length, id).toBeGreaterThan(0)
    const proves = asked.some((asks) => asks.proves)
    expect([zones.includes(undefined), zones.some((zone) => zone !== undefined), proves], id).toEqual([
      abilities.list !== undefined,
      abilities.zone !== undefined,
      abilities.proof !== undefined,
    ])
  }
})

const named = recordings.map((recording) => [`${recording.id} ${recording.call.path}`, recording] as const)

let simulator: ProvidersSimulator
beforeAll(async () => {
  simulator = await startProvidersSimulator()
})
afterAll(() => simulator.close())

describe.each(named)('%s', (_, recording) => {
  // Separate checks, because rejections of two key types of one provider count together.
  let keyChecks: KeyChecks
  beforeAll(async () => {
    keyChecks = await openKeyChecks(optionsFor(simulator))
  })
  afterAll(() => keyChecks.close())

  // In this order: the rate limit comes last, because nothing is sent after it.
  const last = recording.answers.filter(({ isFollowed }) => !isFollowed)
  test.each(last.map((answer) => [answer.name, answer] as const))('recorded: %s', async (__, answer) => {
    await expectRecorded(keyChecks, recording, answer)
    expect(simulator.received.at(-1)?.headers).toMatchObject(headersFor(recording.call, keyFor(recording, answer)))
  })
})

const faults: readonly [string, Fault, string][] = [
  ['a 500 of JSON', () => ({ status: 500, body: { message: 'Internal' } }), 'provider_answer_unexpected'],
  ['a 503 of HTML', () => page(503), 'provider_answer_unexpected'],
  ['a 200 of HTML', () => page(200), 'provider_answer_unexpected'],
  ['a 401 of HTML', () => page(401), 'provider_answer_unexpected'],
  ['a 401 of another form', () => ({ status: 401, body: [{ reason: 'unauthenticated' }] }), 'provider_refused'],
  ['a 403 of HTML', () => page(403), 'provider_answer_unexpected'],
  ['a redirect', () => ({ status: 302, headers: elsewhere, body: '' }), 'provider_answer_unexpected'],
  ['a 404', () => ({ status: 404, body: { message: 'Not found' } }), 'provider_answer_unexpected'],
  ['a 403 of {}', () => ({ status: 403, body: {} }), 'provider_refused'],
  ['a 200 of nothing', () => ({ status: 200, body: '' }), 'provider_answer_unexpected'],
  ['a 200 of null', () => ({ status: 200, body: null }), 'provider_answer_unexpected'],
  ['a 200 of a number', () => ({ status: 200, body: 1 }), 'provider_answer_unexpected'],
  ['a 200 of broken JSON', () => ({ status: 200, body: '{"data":' }), 'provider_answer_unexpected'],
  ['a 204', () => ({ status: 204, body: '' }), 'provider_answer_unexpected'],
  ['a 429 without more', () => ({ status: 429, body: '' }), 'provider_busy'],
  ['a reset', () => 'reset', 'provider_unreachable'],
  ['silence', () => 'silence', 'provider_timeout'],
]

test.each(faults)('is undetermined at every provider: %s', async (_, fault, problem) => {
  const simulator = await simulatorForTest()
  simulator.fault = fault
  const limits = problem === 'provider_timeout' ? { deadlineMs: 500 } : {}
  const keyChecks = await open(simulator, { limits })
  const results = await Promise.all(
    recordings.map(async (recording) => [recording.id, await problemAt(keyChecks, recording)]),
  )
  expect(results).toEqual(recordings.map(({ id }) => [id, problem]))
})

test('is undetermined for the generic answer of a gateway, at every provider and status', () => {
  const decided: string[] = []
  for (const { id, keyTypes, firstProbe } of providers.values())
    for (const keyType of ['api_token', 'api_key'] as const)
      for (const status of keyTypes[keyType] ? [200, 400, 401, 403, 404] : [])
        for (const body of anyBody) {
          const outcome = outcomeOfAnswer(firstProbe({ keyType, shape: 'any' }), { keyType, status, body })
          if (outcome !== 'undetermined') decided.push(`${id} ${status} ${JSON.stringify(body)} ${outcome}`)
        }
  expect(decided).toEqual([])
})

/** Every call of a check gets this answer. */
function outcomeOfAnswer(
  probe: Probe,
  { keyType, status, body }: Pick<ProviderAnswer, 'keyType' | 'status' | 'body'>,
  callsLeft = 4,
): string {
  const text = JSON.stringify(body)
  const answer = { kind: 'answer', keyType, shape: 'any', status, headers: {}, body, text, nowMs: startMs } as const
  const classification = classify(probe, answer, defaultLimits)
  const { kind } = classification
  const next = kind === 'retry' ? classification.otherwise : classification
  if (next.kind !== 'next_probe') return next.kind
  return callsLeft === 0 ? 'undetermined' : outcomeOfAnswer(next.probe, { keyType, status, body }, callsLeft - 1)
}

/** Providers, or one key type of them, whose documented scheme has the key, or its signature, in the body. */
const keyInBody = [
  'alidns',
  'azure',
  'cloudns',
  'googlecloud',
  'hostingde',
  'ibmcloud',
  'namecheap',
  'selectel api_token',
  'ultradns',
]

test('never puts a secret in a URL, nor in a body where the provider accepts a header', () => {
  for (const { id, keyTypes, firstProbe } of providers.values())
    for (const keyType of keyTypeNames.filter((name) => keyTypes[name])) {
      const { request } = firstProbe({ keyType, shape: 'any' })
      const recording = recordings.find((one) => one.id === id && one.keyType === keyType)
      const keyOf = (name: string) => (recording ? keyFor(recording, { name }) : `${name}-key`)
      const [one, other] = ['first', 'second'].map((word) =>
        request(
          { apiKey: keyOf(word), email: `${word}@example.com`, keyType, parts: partsWith(keyTypes[keyType], word) },
          { nowMs: startMs, nonce: 'n' },
        ),
      )
      expect(one?.path, id).toBe(other?.path)
      expect([one?.origin, one?.label], id).toEqual([other?.origin, other?.label])
      if (keyInBody.some((name) => [id, `${id} ${keyType}`].includes(name)))
        expect([one?.body, one?.form]).not.toEqual([other?.body, other?.form])
      else {
        expect([one?.body, one?.form], id).toEqual([other?.body, other?.form])
        expect(one?.headers, id).not.toEqual(other?.headers)
      }
    }
})

/** Secret parts contain the word, others do not. */
function partsWith(info: KeyTypeFacts | undefined, word: string): Record<string, string> {
  const parts = Object.entries(info?.parts ?? {})
  return Object.fromEntries(
    parts.map(([name, { isSecret, options }]) => [name, options?.[0] ?? (isSecret ? `${word}-${name}` : name)]),
  )
}

/** A date, a commit or an issue, so that readers can find the source. */
const sourceForm = /, \d{4}-\d{2}|@[0-9a-f]{7}|[\w.-]+\/[\w.-]+#\d+/

test('every recorded answer names its source, and a made-up answer proves nothing', () => {
  for (const { id, answers } of recordings)
    for (const { name, source, madeUp, verdict } of answers) {
      if (source === undefined) expect(madeUp, `${id} ${name}`).toMatch(/\w/)
      else {
        expect(source, `${id} ${name}`).toMatch(sourceForm)
        expect(source, `${id} ${name}`).not.toMatch(/made up/)
      }
      if (verdict) expect(source, `${id} ${name}`).toBeDefined()
    }
})

async function problemAt(keyChecks: KeyChecks, recording: Recording): Promise<string> {
  const result = await resultOf(check(keyChecks, recording, { name: 'valid' }))
  if (!('code' in result)) return result.error
  return result.outcome === 'undetermined' ? result.code : `a verdict: ${result.code}`
}

const elsewhere = { location: 'http://127.0.0.1:9/' }

function page(status: number) {
  return { status, headers: { 'content-type': 'text/html' }, body: '<html>Forbidden. Authorization has failed.</html>' }
}
