import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { faultToken } from '../../simulators/cloudflare/faults.ts'
import { startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { samples, synthetic } from '../../simulators/cloudflare/state.ts'
import type { KeyCheck, KeyChecksOptions } from '../api.ts'
import type { Call } from '../calls.ts'
import { KeyCheckError, keyChecks } from '../index.ts'

const token = (apiKey: string, more: Partial<KeyCheck> = {}): KeyCheck => ({
  provider: 'cloudflare',
  keyType: 'api_token',
  apiKey,
  ...more,
})

test('a check is valid if the provider accepts the key, invalid if it rejects it, and undetermined without an answer', async () => {
  const { checks } = await open()
  expect(await checks.check(token(samples.userToken))).toMatchObject({
    outcome: 'valid',
    details: { provider: 'cloudflare', code: 'valid', credential: 'user_token', warnings: [], cached: false },
  })
  expect(await checks.check(token(samples.userToken))).toMatchObject({ outcome: 'valid', details: { cached: true } })
  expect(await checks.check(token(samples.unknownUserToken))).toMatchObject({
    outcome: 'invalid',
    details: { code: 'not_recognised' },
  })
  expect(await checks.check(token(faultToken('html_200')))).toEqual({
    outcome: 'undetermined',
    code: 'provider_answer_unexpected',
    message: expect.stringContaining('Cloudflare sent a response that says nothing'),
  })
  expect(await checks.check(token(faultToken('rate_limit_971')))).toMatchObject({
    outcome: 'undetermined',
    code: 'provider_busy',
    retryAfterSeconds: 7,
  })
})

test('a check for a purpose makes one more read', async () => {
  const { checks } = await open()
  const result = await checks.check(token(samples.userToken, { for: { zone: 'example.com' } }))
  expect(result).toMatchObject({ outcome: 'valid', details: { capabilities: { abilities: ['zones:list'] } } })
  expect(result).toMatchObject({ details: { fitsPurpose: 'yes', purpose: 'It covers example.com.' } })
})

test('bulk checks are held back after some wrong keys, and single checks are not', async () => {
  const { checks } = await open()
  const wrong = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((word) => synthetic('cfut_', word))
  const results = []
  for (const key of wrong) results.push(await checks.check(token(key, { bulk: true })))
  expect(results.slice(0, 4).map(({ outcome }) => outcome)).toEqual(Array(4).fill('invalid'))
  expect(results.at(-1)).toMatchObject({ code: 'provider_busy', retryAfterSeconds: expect.any(Number) })
  expect(await checks.check(token(samples.userToken))).toMatchObject({ outcome: 'valid' })
})

test('call reports name the provider and the outcome, and contain no part of the key', async () => {
  const calls: Call[] = []
  const { checks } = await open({ onCall: (call) => calls.push(call) })
  await checks.check(token(samples.userToken))
  expect(calls).toMatchObject([{ provider: 'cloudflare', status: 200, outcome: 'valid' }])
  expect(inspect(calls)).not.toContain(samples.userToken.slice(5, 20))
})

/** Untyped programs may pass any value. */
const wrong: readonly (readonly [string, object, string])[] = [
  ['a key that is not a string', { apiKey: 5 }, '/apiKey'],
  ['a key that is too long', { apiKey: 'x'.repeat(4_097) }, '/apiKey'],
  ['a key type that names a member of every object', { keyType: 'constructor' }, '/keyType'],
  ['a key type that the provider does not have', { provider: 'fastly', keyType: 'api_key' }, '/keyType'],
  ['no provider', { provider: undefined }, '/provider'],
  ['a missing email address', { keyType: 'api_key' }, '/email'],
  ['a part that is too long', { parts: { accountId: 'x'.repeat(4_097) } }, '/parts/accountId'],
  ['a part that the provider does not have', { parts: { other: 'secret value' } }, '/parts/other'],
  ['no purpose', { for: {} }, '/for'],
  ['a zone that is not a host name', { for: { zone: 'no zone' } }, '/for'],
  ['an unknown ability', { for: { ability: 'toString' } }, '/for'],
]

test.each(wrong)('%s is a fault with a pointer, and no call is made', async (_, change, at) => {
  const { checks, simulator } = await open()
  const fault = await errorOf(checks.check({ ...token('secret key'), ...change }))
  expect(fault).toMatchObject({ code: 'input_invalid', faults: [{ at, detail: expect.any(String) }] })
  expect(fault.message).toBe(fault.faults[0]?.detail)
  expect(inspect(fault)).not.toMatch(/secret|xxxx|no zone/)
  expect(simulator.received).toEqual([])
})

test('the error for an unknown provider says where to find the list', async () => {
  const { checks } = await open()
  const { code, message } = await errorOf(checks.check(token('key', { provider: 'cloudflair' })))
  expect(code).toBe('provider_unsupported')
  expect(message).toBe(
    'No provider with this id is supported (did you mean cloudflare?); see providers() for the supported providers.',
  )
})

test('rejects checks after close()', async () => {
  const { checks } = await open()
  await checks.close()
  expect(await errorOf(checks.check(token(samples.userToken)))).toMatchObject({ code: 'closed', faults: [] })
})

test('an aborted check rejects with the reason of the signal', async () => {
  const { checks } = await open()
  const reason = new Error('not needed any more')
  await expect(checks.check(token(samples.userToken, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason)
})

test('the fields of every provider point to members of the input', async () => {
  const { checks } = await open()
  const providers = checks.providers()
  expect(providers.length).toBeGreaterThan(60)
  const places = providers.flatMap(({ keyTypes }) => keyTypes.flatMap(({ fields }) => fields.map(({ at }) => at)))
  expect(places.filter((at) => !/^\/(apiKey|email|parts\/[a-z]\w*)$/i.test(at))).toEqual([])
})

test.each([
  ['deadlineMs', 0],
  ['deadlineMs', Number.POSITIVE_INFINITY],
  ['checksAtOnceMax', 1.5],
  ['cacheValidMs', -1],
  ['constructor', 1],
])('keyChecks rejects the limit %s: %s', async (name, value) => {
  await expect(keyChecks({ limits: { [name]: value } })).rejects.toThrow(RangeError)
})

test('keyChecks rejects an address for an unknown provider', async () => {
  await expect(keyChecks({ baseUrls: { cloudflair: 'http://127.0.0.1:9' } })).rejects.toThrow('cloudflair')
})

test('a cache time of 0 disables the cache', async () => {
  const { checks } = await open({ limits: { cacheValidMs: 0 } })
  await checks.check(token(samples.userToken))
  expect(await checks.check(token(samples.userToken))).toMatchObject({ outcome: 'valid', details: { cached: false } })
})

test('a check is undetermined at its deadline', async () => {
  const { checks, simulator } = await open({ limits: { deadlineMs: 50 } })
  simulator.control.hold = new Promise(() => {})
  expect(await checks.check(token(samples.userToken))).toMatchObject({ code: 'provider_timeout' })
})

async function open(options: KeyChecksOptions = {}) {
  const simulator = await startCloudflareSimulator()
  const checks = await keyChecks({ ...options, baseUrls: { cloudflare: simulator.url } })
  onTestFinished(async () => {
    await checks.close()
    await simulator.close()
  })
  return { checks, simulator }
}

async function errorOf(check: Promise<unknown>): Promise<KeyCheckError> {
  const error = await check.catch((thrown: unknown) => thrown)
  if (error instanceof KeyCheckError) return error
  throw new Error('The check was made', { cause: error })
}
