import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { faultToken } from '../../../simulators/cloudflare/faults.ts'
import { samples as S, synthetic } from '../../../simulators/cloudflare/state.ts'
import { startUntrustedServer } from '../../../test/support/untrusted-tls.ts'
import { openKeyChecks } from '../../engine/check.ts'
import { bearer, nextProbe, type Probe, provider } from '../../engine/provider.ts'
import cloudflare from '../../providers/cloudflare.ts'
import { openForTest, resultOf, simulatorForTest, startHarness, startMs, verdictOf } from './harness.ts'

const VALID = { outcome: 'valid', code: 'valid' }
const UNEXPECTED = { outcome: 'undetermined', code: 'provider_answer_unexpected' }
const TIMEOUT = { outcome: 'undetermined', code: 'provider_timeout' }

describe('provider faults', () => {
  test.each([
    ['reset_before_headers', { outcome: 'undetermined', code: 'provider_unreachable' }, 2],
    ['reset_after_headers', { outcome: 'undetermined', code: 'provider_unreachable' }, 2],
    ['reset_mid_body', { outcome: 'undetermined', code: 'provider_unreachable' }, 2],
    ['html_502', UNEXPECTED, 2],
    ['html_520', UNEXPECTED, 2],
    ['html_524', UNEXPECTED, 2],
    ['html_200', UNEXPECTED, 1],
    ['challenge', UNEXPECTED, 1],
    ['truncated_json', UNEXPECTED, 1],
    ['empty_200', UNEXPECTED, 1],
    ['empty_204', UNEXPECTED, 1],
    ['json_null', UNEXPECTED, 1],
    ['json_list', UNEXPECTED, 1],
    ['gzip', UNEXPECTED, 1],
    ['nested_encoding', UNEXPECTED, 1],
    ['huge_body', UNEXPECTED, 1],
    ['endless_body', UNEXPECTED, 1],
    ['header_flood', UNEXPECTED, 1],
    ['redirect', UNEXPECTED, 1],
    ['success_false_200', UNEXPECTED, 1],
    ['success_text', UNEXPECTED, 1],
    ['status_revoked', { outcome: 'invalid', code: 'not_active' }, 1],
    ['extra_members', VALID, 1],
    ['reversed_members', VALID, 1],
    ['lock_out', { outcome: 'undetermined', code: 'provider_busy', retryAfterSeconds: 300 }, 1],
    ['max_auth_failures', { outcome: 'undetermined', code: 'provider_busy', retryAfterSeconds: 300 }, 1],
    ['rate_limit_971', { outcome: 'undetermined', code: 'provider_busy', retryAfterSeconds: 7 }, 1],
    ['rate_limit_10429', { outcome: 'undetermined', code: 'provider_busy', retryAfterSeconds: 7 }, 1],
    ['text_1015', { outcome: 'undetermined', code: 'provider_busy', retryAfterSeconds: 60 }, 1],
  ] as const)('%s', async (fault, expected, calls) => {
    const { outcomeOf, simulator } = await startHarness()
    simulator.control.fault = fault
    expect(await outcomeOf(S.userToken)).toEqual(expected)
    expect(simulator.received).toHaveLength(calls)
  })

  test.concurrent.for(['delay_headers', 'delay_body', 'drip', 'informational'] as const)(
    '504 — %s ends at the deadline, after one call',
    async (fault, { onTestFinished: atEnd }) => {
      const { outcomeOf, simulator } = await startHarness({ limits: { deadlineMs: 1_000 } }, atEnd)
      simulator.control.fault = fault
      expect(await outcomeOf(S.userToken)).toEqual(TIMEOUT)
      expect(simulator.received).toHaveLength(1)
    },
  )

  test.concurrent.for(['delay_headers', 'delay_body'] as const)(
    '504 — %s ends at the limit of its phase',
    async (fault, { onTestFinished: atEnd }) => {
      const limits = { headersTimeoutMs: 500, bodyTimeoutMs: 500, deadlineMs: 20_000 }
      const { outcomeOf } = await startHarness({ limits }, atEnd)
      expect(await outcomeOf(faultToken(fault))).toEqual(TIMEOUT)
    },
  )

  test('504 — a connection that is never established ends at the deadline and frees its place', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { outcomeOf } = await startHarness({
      limits: { connectTimeoutMs: 600_000, deadlineMs: 200, checksAtOnceMax: 1 },
      baseUrls: { cloudflare: `https://127.0.0.1:${port}` },
    })
    expect(await outcomeOf(S.userToken)).toEqual(TIMEOUT)
    expect(await outcomeOf(S.oldUserToken)).toEqual(TIMEOUT)
  })

  test('one retry gets past a broken connection', async () => {
    const { outcomeOf, simulator } = await startHarness()
    simulator.control.nextFaults = ['reset_before_headers']
    expect(await outcomeOf(S.userToken)).toEqual(VALID)
    expect(simulator.received).toHaveLength(2)
  })

  test('a check run makes one retry, not one per call', async () => {
    const { outcomeOf, simulator } = await startHarness()
    simulator.control.answer = ({ path }) =>
      path === '/accounts?per_page=5' ? { status: 503, headers: {}, body: '' } : undefined
    simulator.control.nextFaults = ['reset_before_headers']
    expect(await outcomeOf(S.oldAccountToken)).toEqual(UNEXPECTED)
    expect(simulator.received.map(({ path }) => path)).toEqual([
      '/user/tokens/verify',
      '/user/tokens/verify',
      '/accounts?per_page=5',
    ])
  })

  test('502 — a provider file that always requests another call gets four', async () => {
    const probe: Probe = { request: bearer('/'), classify: () => nextProbe(probe) }
    const endless = provider({ ...cloudflare, firstProbe: () => probe })
    const { outcomeOf, simulator } = await startHarness({ providers: new Map([['cloudflare', endless]]) })
    expect(await outcomeOf('any')).toEqual(UNEXPECTED)
    expect(simulator.received).toHaveLength(4)
  })

  test.each([
    ['ignores an encoded answer, whatever it contains', { 'content-encoding': 'gzip' }],
    ['ignores a page, whatever it contains', { 'content-type': 'text/html; charset=UTF-8' }],
    ['ignores a challenge, whatever it contains', { 'cf-mitigated': 'challenge' }],
  ])('502 — %s', async (_, headers) => {
    const { outcomeOf, simulator } = await startHarness()
    simulator.control.answer = () => ({ status: 200, headers, body: '{"success":true,"result":{"status":"active"}}' })
    expect(await outcomeOf(S.userToken)).toEqual(UNEXPECTED)
  })

  test('502 — nothing listens at the address', async () => {
    const { outcomeOf, simulator } = await startHarness()
    await simulator.close()
    expect(await outcomeOf(S.userToken)).toEqual({ outcome: 'undetermined', code: 'provider_unreachable' })
  })
})

describe('a request to a provider', () => {
  test('has one authentication scheme, no cookie, no credential in the URL, identity encoding and our user agent', async () => {
    const { check, simulator } = await startHarness()
    await check(S.oldAccountToken)
    await check(S.oldGlobalKey, { email: S.email })
    expect(simulator.received).toHaveLength(4)
    for (const { method, path, headers } of simulator.received) {
      expect(method).toBe('GET')
      expect(path).not.toContain(S.oldAccountToken)
      expect(headers).not.toHaveProperty('cookie')
      expect(headers).toMatchObject({ 'accept-encoding': 'identity', 'user-agent': 'muster/1' })
      expect(headers.authorization === undefined).toBe(headers['x-auth-key'] !== undefined)
    }
    expect(simulator.received[0]?.headers.authorization).toBe(`Bearer ${S.oldAccountToken}`)
    expect(simulator.received[3]?.headers).toMatchObject({ 'x-auth-key': S.oldGlobalKey, 'x-auth-email': S.email })
  })

  test('never goes to a server whose certificate is not trusted', async () => {
    const server = await startUntrustedServer()
    const { outcomeOf } = await startHarness({ baseUrls: { cloudflare: server.url } })
    expect(await outcomeOf(S.userToken)).toEqual({ outcome: 'undetermined', code: 'provider_unreachable' })
    expect(server.received).toEqual([])
  })

  test('does not contain an email address given with a token', async () => {
    const { keyChecks, simulator } = await startHarness()
    await verdictOf(keyChecks.check({ keyType: 'api_token', apiKey: S.userToken, email: S.email }))
    expect(JSON.stringify(simulator.received)).not.toContain(S.email)
  })
})

describe('single-flight', () => {
  test('1,000 identical parallel checks make one check run', async () => {
    const { check, simulator } = await startHarness()
    const verdicts = await Promise.all(Array.from({ length: 1_000 }, () => check(S.oldAccountToken)))
    expect(verdicts.every(({ outcome }) => outcome === 'valid')).toBe(true)
    expect(simulator.received).toHaveLength(3)
  })

  test('checks with different types, emails or keys are separate runs', async () => {
    const { outcomeOf, simulator } = await startHarness()
    await Promise.all([
      outcomeOf(S.oldGlobalKey),
      outcomeOf(S.oldGlobalKey, { email: S.email }),
      outcomeOf(S.oldGlobalKey, { email: S.otherEmail }),
    ])
    expect(simulator.received).toHaveLength(3)
  })

  test('a caller who leaves does not end the check for the others', async () => {
    const { check, simulator } = await startHarness()
    const gate = withResolvers()
    simulator.control.hold = gate.promise
    const leaving = new AbortController()
    const first = check(S.userToken, { signal: leaving.signal })
    const second = check(S.userToken)
    leaving.abort(new Error('the caller hung up'))
    await expect(first).rejects.toThrow('the caller hung up')
    gate.resolve()
    expect((await second).outcome).toBe('valid')
    expect(simulator.received).toHaveLength(1)
  })

  test('the call ends when the last caller leaves, and the next check starts a new one', async () => {
    const { check, simulator } = await startHarness({ limits: { deadlineMs: 60_000, headersTimeoutMs: 60_000 } })
    const gate = withResolvers()
    simulator.control.hold = gate.promise
    const leaving = new AbortController()
    const first = check(S.userToken, { signal: leaving.signal })
    await until(() => simulator.received.length === 1)
    leaving.abort(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    await until(() => simulator.abandoned() === 1)
    gate.resolve()
    expect((await check(S.userToken)).outcome).toBe('valid')
    expect(simulator.received).toHaveLength(2)
  })

  test('a caller whose signal has already aborted starts nothing', async () => {
    const { check, simulator } = await startHarness()
    await expect(check(S.userToken, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone')
    expect(simulator.received).toHaveLength(0)
  })
})

describe('the verdict cache', () => {
  test.each([
    ['a valid key', S.userToken, 60],
    ['an invalid key', S.disabled, 10],
    ['a limited key', S.accountLimited, 10],
  ])('caches %s for its time and no longer', async (_, key, seconds) => {
    const { check, simulator, clock } = await startHarness()
    expect((await check(key)).details.cached).toBe(false)
    clock.advanceSeconds(seconds - 1)
    const again = await check(key)
    expect(again.details).toMatchObject({ cached: true, checkedAt: '2026-10-01T12:00:00.000Z' })
    expect(simulator.received).toHaveLength(1)
    clock.advanceSeconds(2)
    expect((await check(key)).details.cached).toBe(false)
    expect(simulator.received).toHaveLength(2)
  })

  test('never caches an undetermined outcome', async () => {
    const { outcomeOf, simulator } = await startHarness()
    simulator.control.nextFaults = ['truncated_json']
    expect(await outcomeOf(S.userToken)).toEqual(UNEXPECTED)
    expect(await outcomeOf(S.userToken)).toEqual(VALID)
  })

  test('never caches a key as valid beyond its expiry', async () => {
    const { outcomeOf, simulator, clock } = await startHarness()
    simulator.state.tokens[0] = {
      value: S.userToken,
      status: 'active',
      permissions: [],
      expiresOn: new Date(clock.nowMs() + 20_000).toISOString(),
    }
    await outcomeOf(S.userToken)
    clock.advanceSeconds(21)
    await outcomeOf(S.userToken)
    expect(simulator.received).toHaveLength(2)
  })

  test('is limited in size', async () => {
    const { outcomeOf, simulator } = await startHarness({ limits: { cacheEntriesMax: 2 } })
    for (const key of [S.userToken, S.disabled, S.revoked, S.userToken]) await outcomeOf(key)
    expect(simulator.received).toHaveLength(4)
  })
})

describe('circuit breaker, cool-down, throttle and bulkhead', () => {
  test.each([403, 429] as const)('503 — sends nothing during a lockout (%i)', async (status) => {
    const { outcomeOf, simulator, clock } = await startHarness()
    Object.assign(simulator.control, { lockOutAfter: 2, lockOutStatus: status })
    await outcomeOf(S.unknownUserToken)
    await outcomeOf(S.unknownAccountToken)
    expect(await outcomeOf(S.userToken)).toEqual({
      outcome: 'undetermined',
      code: 'provider_busy',
      retryAfterSeconds: 300,
    })
    const calls = simulator.received.length
    clock.advanceSeconds(100)
    expect(await outcomeOf(S.oldUserToken)).toEqual({
      outcome: 'undetermined',
      code: 'provider_busy',
      retryAfterSeconds: 200,
    })
    expect(await outcomeOf(S.oldGlobalKey, { email: S.email })).toMatchObject({
      outcome: 'undetermined',
      code: 'provider_busy',
    })
    expect(simulator.received).toHaveLength(calls)
    simulator.reset()
    clock.advanceSeconds(201)
    expect(await outcomeOf(S.userToken)).toEqual(VALID)
  })

  test('503 — sends nothing during Retry-After; cached verdicts are still returned', async () => {
    const { outcomeOf, simulator, clock } = await startHarness()
    expect(await outcomeOf(S.userToken)).toEqual(VALID)
    expect(await outcomeOf(faultToken('rate_limit_971'))).toEqual({
      outcome: 'undetermined',
      code: 'provider_busy',
      retryAfterSeconds: 7,
    })
    expect(await outcomeOf(S.oldUserToken)).toEqual({
      outcome: 'undetermined',
      code: 'provider_busy',
      retryAfterSeconds: 7,
    })
    expect(await outcomeOf(S.userToken)).toEqual(VALID)
    expect(simulator.received).toHaveLength(2)
    clock.advanceSeconds(8)
    expect(await outcomeOf(S.oldUserToken)).toEqual(VALID)
  })

  test('503 — the rate limit of one credential blocks only that one, for its time', async () => {
    const { outcomeOf, simulator, clock } = await startHarness()
    const exhausted = synthetic('cfut_', 'Exhausted')
    simulator.control.answer = ({ headers }) =>
      String(headers.authorization).includes('Exhausted')
        ? {
            status: 429,
            headers: { 'retry-after': '30' },
            body: '{"success":false,"errors":[{"code":10100,"message":"More than 1200 requests per 300 seconds reached."}]}',
          }
        : undefined
    expect(await outcomeOf(exhausted)).toEqual({
      outcome: 'undetermined',
      code: 'provider_busy',
      retryAfterSeconds: 30,
    })
    expect(await outcomeOf(S.userToken)).toEqual(VALID)
    clock.advanceSeconds(10)
    expect(await outcomeOf(exhausted)).toEqual({
      outcome: 'undetermined',
      code: 'provider_busy',
      retryAfterSeconds: 20,
    })
    expect(await outcomeOf(S.oldUserToken)).toEqual(VALID)
    expect(simulator.received).toHaveLength(3)
    clock.advanceSeconds(21)
    simulator.control.answer = undefined
    simulator.state.tokens.push({ value: exhausted, status: 'active', permissions: [] })
    expect(await outcomeOf(exhausted)).toEqual(VALID)
  })

  test.each([
    ['linode', 429, { errors: [{ reason: 'Too many requests' }] }, VALID],
    ['desec', 429, { detail: 'Request was throttled.' }, VALID],
    ['linode', 429, 'Too many requests', { outcome: 'undetermined', code: 'provider_busy', retryAfterSeconds: 9 }],
    [
      'hetzner',
      429,
      { error: { code: 'rate_limit_exceeded' } },
      { outcome: 'undetermined', code: 'provider_busy', retryAfterSeconds: 9 },
    ],
  ] as const)('503 — what a 429 from %s blocks, %i %j', async (provider, status, body, expected) => {
    const simulator = await simulatorForTest()
    const keyChecks = await openForTest({ baseUrls: simulator.baseUrls, now: () => startMs })
    const ask = (name: string) =>
      resultOf(keyChecks.check({ provider, keyType: 'api_token', apiKey: `${provider}-${name}` }))
    simulator.fault = () => ({ status, headers: { 'retry-after': '9' }, body })
    expect(await ask('rate-limited')).toEqual({ outcome: 'undetermined', code: 'provider_busy', retryAfterSeconds: 9 })
    simulator.fault = undefined
    expect(await ask('valid')).toEqual(expected)
    expect(await ask('rate-limited')).toEqual({ outcome: 'undetermined', code: 'provider_busy', retryAfterSeconds: 9 })
  })

  test.each([
    ['0', 1],
    ['299.2', 300],
    ['100000', 300],
    ['Thu, 01 Oct 2026 12:00:30 GMT', 30],
    ['Thu, 01 Oct 2026 11:00:00 GMT', 1],
    ['nonsense', 60],
    ['', 60],
  ])('503 — Retry-After %j becomes %i', async (value, seconds) => {
    const { outcomeOf, simulator } = await startHarness()
    simulator.control.answer = () => ({ status: 429, headers: { 'retry-after': value }, body: '' })
    expect(await outcomeOf(S.userToken)).toEqual({
      outcome: 'undetermined',
      code: 'provider_busy',
      retryAfterSeconds: seconds,
    })
  })

  test.each([
    ['45', 45],
    [String(startMs / 1_000 + 30), 30],
    ['tomorrow', 60],
  ])('503 — a reset of %j, in seconds or as a time, becomes %i', async (value, seconds) => {
    const { outcomeOf, simulator } = await startHarness()
    simulator.control.answer = () => ({ status: 429, headers: { 'x-ratelimit-reset': value }, body: '' })
    expect(await outcomeOf(S.userToken)).toEqual({
      outcome: 'undetermined',
      code: 'provider_busy',
      retryAfterSeconds: seconds,
    })
  })

  test('503 — a trial whose caller leaves does not close the breaker: another failure opens it again', async () => {
    const { check, outcomeOf, simulator, clock } = await startHarness()
    simulator.control.answer = () => ({ status: 500, headers: {}, body: '' })
    for (let call = 0; call < 20; call++) await outcomeOf(synthetic('cfut_', `Fails${call}`))
    clock.advanceSeconds(11)
    const gate = withResolvers()
    simulator.control.hold = gate.promise
    const leaving = new AbortController()
    const left = check(S.userToken, { signal: leaving.signal })
    await until(() => simulator.received.length === 21)
    leaving.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    gate.resolve()
    expect(await outcomeOf(S.userToken)).toEqual(UNEXPECTED)
    expect(await outcomeOf(S.oldUserToken)).toMatchObject({ outcome: 'undetermined', code: 'provider_busy' })
    expect(simulator.received).toHaveLength(22)
  })

  test('503 — the breaker opens if half of 20 calls fail, tries one after 10 s, and closes when it succeeds', async () => {
    const { outcomeOf, simulator, clock } = await startHarness()
    simulator.control.answer = ({ headers }) =>
      String(headers.authorization).includes('Fails') ? { status: 500, headers: {}, body: '' } : undefined
    for (let call = 0; call < 10; call++) await outcomeOf(synthetic('cfut_', `Works${call}`))
    for (let call = 0; call < 9; call++) expect(await outcomeOf(synthetic('cfut_', `Fails${call}`))).toEqual(UNEXPECTED)
    expect(await outcomeOf(synthetic('cfut_', 'FailsLast'))).toEqual(UNEXPECTED)
    expect(simulator.received).toHaveLength(20)

    expect(await outcomeOf(S.userToken)).toEqual({
      outcome: 'undetermined',
      code: 'provider_busy',
      retryAfterSeconds: 10,
    })
    expect(simulator.received).toHaveLength(20)

    clock.advanceSeconds(10)
    expect(await outcomeOf(synthetic('cfut_', 'FailsTrial'))).toEqual(UNEXPECTED)
    expect(await outcomeOf(S.userToken)).toMatchObject({ outcome: 'undetermined', code: 'provider_busy' })
    expect(simulator.received).toHaveLength(21)

    clock.advanceSeconds(10)
    const gate = withResolvers()
    simulator.control.hold = gate.promise
    const trial = outcomeOf(S.userToken)
    await until(() => simulator.received.length === 22)
    expect(await outcomeOf(S.oldUserToken)).toMatchObject({ outcome: 'undetermined', code: 'provider_busy' })
    gate.resolve()
    expect(await trial).toEqual(VALID)
    expect(await outcomeOf(S.oldUserToken)).toEqual(VALID)
  })

  test('failures farther apart than the window do not open the breaker', async () => {
    const { outcomeOf, simulator, clock } = await startHarness()
    simulator.control.answer = () => ({ status: 500, headers: {}, body: '' })
    for (let call = 0; call < 30; call++) {
      await outcomeOf(synthetic('cfut_', `Fails${call}`))
      clock.advanceSeconds(1)
    }
    expect(simulator.received).toHaveLength(30)
  })

  test('unexpected answers about single credentials do not open the breaker', async () => {
    const { outcomeOf, simulator } = await startHarness()
    simulator.control.fault = 'challenge'
    for (let call = 0; call < 25; call++) await outcomeOf(synthetic('cfut_', `Odd${call}`))
    expect(simulator.received).toHaveLength(25)
  })

  test('503 — the bulkhead and its queue are limited', async () => {
    const { outcomeOf, simulator } = await startHarness({ limits: { checksAtOnceMax: 2, checksWaitingMax: 1 } })
    const gate = withResolvers()
    simulator.control.hold = gate.promise
    const running = [outcomeOf(S.userToken), outcomeOf(S.oldUserToken), outcomeOf(S.expiring)]
    expect(await outcomeOf(S.userFiltered)).toEqual({
      outcome: 'undetermined',
      code: 'provider_busy',
      retryAfterSeconds: 1,
    })
    await until(() => simulator.received.length === 2)
    gate.resolve()
    expect(await Promise.all(running)).toEqual([VALID, VALID, VALID])
    expect(simulator.received).toHaveLength(3)
  })

  test('503 — after close, rejects even a key that needs no call', async () => {
    const { check, keyChecks } = await startHarness()
    expect(await resultOf(check(''))).toEqual({ outcome: 'invalid', code: 'empty' })
    await keyChecks.close()
    expect(await resultOf(check(''))).toEqual({ error: 'closed' })
  })

  test.concurrent('504 — checks that time out in the queue make room for the next', async ({
    onTestFinished: atEnd,
  }) => {
    const { outcomeOf, simulator } = await startHarness({ limits: { checksAtOnceMax: 1, deadlineMs: 1_500 } }, atEnd)
    simulator.control.hold = new Promise(() => {})
    const results = await Promise.all([outcomeOf(S.userToken), outcomeOf(S.oldUserToken), outcomeOf(S.disabled)])
    expect(results).toEqual([TIMEOUT, TIMEOUT, TIMEOUT])
    simulator.control.hold = undefined
    expect(await outcomeOf(S.expiring)).toEqual(VALID)
  })

  test.concurrent('503 — beyond the calls per second a check waits briefly, and beyond that it is rejected', async ({
    onTestFinished: atEnd,
  }) => {
    const { outcomeOf, simulator } = await startHarness({ limits: { callsPerSecondMax: 10 } }, atEnd)
    const keys = Array.from({ length: 30 }, (_, number) => synthetic('cfut_', `Budget${number}`))
    const results = await Promise.all(keys.map((key) => outcomeOf(key)))
    const refused = results.filter((result) => 'code' in result && result.outcome === 'undetermined')
    expect(refused).toEqual(Array(10).fill({ outcome: 'undetermined', code: 'provider_busy', retryAfterSeconds: 1 }))
    expect(simulator.received).toHaveLength(20)
  })

  test.concurrent('503 — a call that waited for its turn is not made if a cool-down has started', async ({
    onTestFinished: atEnd,
  }) => {
    const { outcomeOf, simulator } = await startHarness({ limits: { callsPerSecondMax: 2 } }, atEnd)
    simulator.control.fault = 'rate_limit_971'
    const keys = Array.from({ length: 4 }, (_, number) => synthetic('cfut_', `Quiet${number}`))
    const results = await Promise.all(keys.map((key) => outcomeOf(key)))
    expect(results).toEqual(Array(4).fill({ outcome: 'undetermined', code: 'provider_busy', retryAfterSeconds: 7 }))
    expect(simulator.received).toHaveLength(2)
  })

  test('503 — closing ends running checks and rejects new ones', async () => {
    const { check, keyChecks, simulator } = await startHarness()
    simulator.control.hold = new Promise(() => {})
    const running = resultOf(check(S.userToken))
    await until(() => simulator.received.length === 1)
    await keyChecks.close()
    expect(await running).toEqual({ error: 'closed' })
    expect(await resultOf(check(S.userToken))).toEqual({ error: 'closed' })
  })
})

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((done) => setImmediate(done))
}

test('fails to start if a base address is set for an unknown provider', async () => {
  await expect(openKeyChecks({ baseUrls: { cloudfare: 'http://127.0.0.1:1' } })).rejects.toThrow('"cloudfare"')
})

test('logs a cool-down as a warning and other calls at debug', async () => {
  const lines: string[] = []
  const log = {
    debug: (_: object, text: string) => lines.push(`debug ${text}`),
    warn: (_: object, text: string) => lines.push(`warn ${text}`),
  }
  const { outcomeOf } = await startHarness({ log })
  await outcomeOf(S.userToken)
  await outcomeOf(faultToken('lock_out'))
  expect(lines).toEqual(['debug provider called', 'warn provider rate limit or lockout: cool-down started'])
})
