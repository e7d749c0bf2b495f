import { expect, test } from 'vitest'
import type { KeyChecks, Result } from '../../api.ts'
import type { AbilityRead, ProofContext, ProviderAnswer } from '../../engine/provider.ts'
import type { RecordedAnswer, Recording, Sent } from '../../simulator/recording.ts'
import { credentialFor, headersFor, keyFor } from '../../simulator/recording.ts'
import { type Fault, type ProvidersSimulator, readRecordings } from '../../simulator/server.ts'
import { simulatorForTest, startMs } from '../engine/harness.ts'
import { anyBody } from './any-body.ts'
import { check, open, providers } from './recorded-check.ts'

/** Faults of a read of abilities, after a first call that proves the key valid. */

const recordings = await readRecordings()

/** The read that fails, and the answer whose key is checked. */
interface Failing {
  readonly recording: Recording
  readonly first: RecordedAnswer
}

/** Every read. A round has one of each provider, so that one server can fail all of them. */
const rounds: Failing[][] = []
for (const recording of recordings.filter(({ asks }) => asks !== undefined)) {
  const [first] = recording.answers
  if (!first) throw new Error('a recording has no answers')
  const free = rounds.find((round) => round.every((other) => other.recording.id !== recording.id))
  if (free) free.push({ recording, first })
  else rounds.push([{ recording, first }])
}

/** Providers with one path for all calls say in the body which call it is. */
function isCallOf({ recording, first }: Failing, sent: Sent): boolean {
  const { id, call } = recording
  if (sent.id !== id || sent.method !== call.method || sent.path !== call.path) return false
  return call.accepts?.(sent, credentialFor(recording, first)) !== false
}

const canary = 'canary.zx9q7w8e6r5t.example'

const json = { 'content-type': 'application/json' }
const html = { 'content-type': 'text/html' }
/** A list of zones that no provider would cut off at this size. */
const oversized = JSON.stringify({ zones: Array.from({ length: 4_000 }, (_, n) => ({ name: `z${n}.example.com` })) })

const faults: readonly [string, Fault][] = [
  ['a redirect', () => ({ status: 302, headers: { location: `http://127.0.0.1:9/?${canary}` }, body: '' })],
  ['a 200 of HTML', () => ({ status: 200, headers: html, body: `<html>${canary}</html>` })],
  ['a 403 of HTML', () => ({ status: 403, headers: html, body: `<html>${canary}</html>` })],
  ['an oversized 200', () => ({ status: 200, headers: json, body: oversized })],
  ['silence', silence],
  ['a reset', () => 'reset'],
  ['a body that stops early', () => ({ status: 200, headers: { ...json, 'content-length': '900' }, body: '{"zo' })],
  ['a 200 of broken JSON', () => ({ status: 200, headers: json, body: `{"zones":[{"name":"${canary}` })],
  ['a 201 of an unknown body', () => ({ status: 201, body: { zones: [{ name: canary }] } })],
  ['a 204', () => ({ status: 204, body: '' })],
  ['a 200 that echoes the call', (sent) => ({ status: 200, body: echoOf(sent) })],
  ['a 403 that echoes the call', (sent) => ({ status: 403, body: echoOf(sent) })],
  ['a 500', () => ({ status: 500, body: { message: canary } })],
]

function silence() {
  return 'silence' as const
}

/** The call as an error, as a zone and as a scope, because a provider could repeat the key anywhere. */
function echoOf({ headers, body }: Sent) {
  const text = JSON.stringify({ headers, body })
  const [name, code] = [canary, text]
  return { error: { code, message: text }, errors: [{ code, message: text }], zones: [{ name: code }, { id: name }] }
}

test.each(faults)('a read of abilities that fails changes no verdict and leaks nothing: %s', async (_, fault) => {
  // Long enough for the reads before on a busy machine. Reads are skipped when little time is left.
  const limits = fault === silence ? { headersTimeoutMs: 8_000 } : {}
  await Promise.all(
    rounds.map(async (round) => {
      const simulator = await simulatorForTest()
      simulator.fault = (sent) => (round.some((failing) => isCallOf(failing, sent)) ? fault(sent) : undefined)
      const keyChecks = await open(simulator, { limits })
      await Promise.all(round.map((failing) => expectHarmless(simulator, keyChecks, failing)))
    }),
  )
})

/** Checks the key of the first answer while the read of the recording fails. */
async function expectHarmless(
  simulator: ProvidersSimulator,
  keyChecks: KeyChecks,
  { recording, first }: Failing,
): Promise<void> {
  const { id, call } = recording
  const result = await check(keyChecks, recording, first)
  const paths = simulator.received.flatMap((sent) => (sent.id === id ? [sent.path] : []))
  expect(paths).toContain(call.path)
  expect(paths.length, id).toBeLessThanOrEqual(4)
  expect(shownBy(result), `${id} ${call.path}`).toEqual({ outcome: 'valid', hasNo: false, leaks: false })
  const key = keyFor(recording, first)
  for (const secret of [key, ...Object.values(headersFor(call, key))])
    expect(JSON.stringify(result).includes(secret), id).toBe(false)
}

/** Whether a result says "no" about anything, or repeats what the fault contains. */
function shownBy(result: Result) {
  const { outcome } = result
  if (outcome === 'undetermined') return { outcome, code: result.code }
  const { capabilities = {}, fitsPurpose } = result.details
  const hasNo = capabilities.lacks !== undefined || fitsPurpose === 'no'
  return { outcome, hasNo, leaks: JSON.stringify(result).includes('canary') }
}

test('the generic answer of a gateway to a read shows nothing, at every provider and status', () => {
  const shown: string[] = []
  for (const { id, read, context } of readsOf())
    for (const status of [200, 400, 401, 403, 404])
      for (const body of anyBody) {
        const found = read.find(answerOf(status, body), context)
        if (saysAnything(found)) shown.push(`${id} ${status} ${JSON.stringify(body)} ${JSON.stringify(found)}`)
      }
  expect(shown).toEqual([])
})

/** Pairs of providers whose answers have the same form. An empty list has the same form everywhere. */
const alike: readonly string[] = [
  // Internet Services of IBM has the API of Cloudflare.
  'cloudflare ibmcloud 200',
  'hetzner vercel 404',
  'hostinger [] 200',
  'luadns [] 200',
  'powerdns [] 200',
]

test('the answer of another provider to a read shows nothing', () => {
  const shown = new Set<string>()
  for (const { id, read, context } of readsOf())
    for (const { id: other, answers } of recordings.filter((recording) => recording.id !== id))
      for (const { status, body } of answers.filter((answer) => answer.status === 200 || answer.status >= 400))
        if (saysAnything(read.find(answerOf(status, body), context)))
          shown.add(`${id} ${isEmptyList(body) ? '[]' : other} ${status}`)
  expect([...shown].sort()).toEqual(alike)
})

const isEmptyList = (body: unknown): boolean => Array.isArray(body) && body.length === 0

/** An empty object, and another read, say nothing. */
function saysAnything(found: ReturnType<AbilityRead['find']> = {}): boolean {
  if ('kind' in found) return false
  const { next: _, capabilities = {}, ...more } = found
  return Object.keys(capabilities).length > 0 || Object.keys(more).length > 0
}

/** Every read of every provider with the context of a check that is for a zone and one that is for none. */
function readsOf() {
  const decided = answerOf(200, { access_token: 'token', token_type: 'Bearer' })
  const zoneFound = { zoneId: 'Z1', unusedValue: 'unused' }
  return [...providers.values()].flatMap(({ id, abilities }) => {
    if (typeof abilities === 'string' || 'unknown' in abilities) return []
    const of = (read: AbilityRead<ProofContext> | undefined, zone: string) =>
      read ? [{ id, read, context: { zone, decided, ...zoneFound } }] : []
    const { list, zone, proof } = abilities
    return [...of(list, ''), ...[list, zone, proof].flatMap((read) => of(read, 'example.com'))]
  })
}

function answerOf(status: number, body: unknown): ProviderAnswer {
  const text = JSON.stringify(body)
  return { kind: 'answer', keyType: 'api_token', shape: 'any', status, headers: {}, body, text, nowMs: startMs }
}
