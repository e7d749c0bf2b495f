import { describe, expect, test } from 'vitest'
import { classify, classifyRead, isProviderFailure } from '../../engine/classify.ts'
import { defaultLimits } from '../../engine/limits.ts'
import {
  type Classification,
  invalid,
  nextProbe,
  type Probe,
  type ProviderAnswer,
  retry,
  undetermined,
  valid,
} from '../../engine/provider.ts'
import { parseJson } from '../../engine/provider-client.ts'

const nothing = undetermined('unexpected_answer')

function probeFor(classification: Classification, successStatus?: number): Probe {
  const probe = { request: () => ({ path: '/', headers: {} }), classify: () => classification }
  return successStatus === undefined ? probe : { ...probe, successStatus }
}

function answer(status: number): ProviderAnswer {
  return { kind: 'answer', keyType: 'api_token', shape: 'any', status, headers: {}, body: {}, text: '{}', nowMs: 0 }
}

function classified(status: number, classification: Classification, successStatus?: number): Classification {
  return classify(probeFor(classification, successStatus), answer(status), defaultLimits)
}

describe('an unexpected 2xx', () => {
  test.each([
    ['valid', valid()],
    ['valid with a caveat', valid('limited_permissions')],
    ['invalid', invalid('not_recognised')],
    ['another call', nextProbe(probeFor(valid()))],
    ['another try', retry(undetermined('refused'))],
  ])('proves nothing if the file says %s', (_, classification) => {
    for (const status of [201, 202, 203, 204, 206, 299]) expect(classified(status, classification)).toEqual(nothing)
    expect(classified(200, classification)).toEqual(classification)
  })

  test('decides if the file declares it, and then a 200 does not', () => {
    expect(classified(201, valid(), 201)).toEqual(valid())
    expect(classified(200, valid(), 201)).toEqual(nothing)
  })
})

test('reads an answer with a byte order mark', () => {
  expect(parseJson('\ufeff{"success":true}')).toEqual({ success: true })
})

test('does not read an answer that is nested more than 32 levels deep', () => {
  expect(parseJson(`${'['.repeat(32)}${']'.repeat(32)}`)).toBeDefined()
  expect(parseJson(`${'['.repeat(33)}${']'.repeat(33)}`)).toBeUndefined()
})

test('a 4xx proves a credential valid only with a caveat', () => {
  expect(classified(403, valid('limited_permissions'))).toEqual(valid('limited_permissions'))
  expect(classified(403, valid())).toEqual(nothing)
})

test('a lockout may have any status', () => {
  for (const status of [200, 201, 403, 503])
    expect(classified(status, undetermined('locked_out'))).toEqual(undetermined('locked_out', 300))
})

test('a gateway error is retried and counts as a failure of the provider; a 401 is neither', () => {
  expect(classified(502, valid())).toEqual(retry(nothing, 'transient'))
  expect([502, 500, 401, 200].map((status) => isProviderFailure(answer(status)))).toEqual([true, true, false, false])
})

describe('classification by status', () => {
  test.each([
    [502, true],
    [503, true],
    [504, true],
    [520, true],
    [525, true],
    [530, true],
    [501, false],
    [505, false],
    [519, false],
    [531, false],
  ])('%i is a gateway error: %s', (status, isGateway) => {
    expect(classified(status, valid('limited_permissions'))).toEqual(isGateway ? retry(nothing, 'transient') : nothing)
  })

  test('only a 4xx and the success status prove something', () => {
    const refused = invalid('not_recognised')
    for (const status of [200, 400, 401, 403, 404, 410, 499]) expect(classified(status, refused)).toEqual(refused)
    for (const status of [100, 201, 301, 399, 500, 501]) expect(classified(status, refused)).toEqual(nothing)
    expect(classified(429, refused)).toEqual(undetermined('rate_limited', 60))
  })

  test('from 500 on it is a failure of the provider, and so is no answer', () => {
    expect([499, 500, 599].map((status) => isProviderFailure(answer(status)))).toEqual([false, true, true])
    const failure = { kind: 'failure', reason: 'timeout', code: 'x', isTransient: false } as const
    expect(isProviderFailure(failure)).toBe(true)
    expect(classify(probeFor(valid()), failure, defaultLimits)).toEqual(undetermined('timeout'))
    const transient = { ...failure, reason: 'unreachable', isTransient: true } as const
    expect(classify(probeFor(valid()), transient, defaultLimits)).toEqual(
      retry(undetermined('unreachable'), 'transient'),
    )
  })
})

describe('an HTML page', () => {
  test.each([
    ['HTML by its type', { 'content-type': 'text/html; charset=utf-8' }, '{}'],
    ['XHTML, in capitals', { 'content-type': 'Application/XHTML+xml' }, '{}'],
    ['HTML by its first character', { 'content-type': 'application/json' }, ' \n<html>'],
    ['a challenge', { 'cf-mitigated': 'challenge' }, '{}'],
  ])('%s proves nothing, and with 429 is a rate limit', (_, headers, text) => {
    const page = (status: number) => classify(probeFor(valid()), { ...answer(status), headers, text }, defaultLimits)
    expect(page(200)).toEqual(nothing)
    expect(page(429)).toEqual(undetermined('rate_limited', 60))
  })

  test('is recognized for a provider that answers XML too: if it is not well-formed, or its root is html', () => {
    const probe: Probe = { ...probeFor(valid()), answersXml: true }
    const read = (text: string, body: unknown) => classify(probe, { ...answer(200), text, body }, defaultLimits)
    expect(read('<a>b</a>', { a: 'b' })).toEqual(valid())
    expect(read('<html>b</html>', { html: { body: 'b' } })).toEqual(nothing)
    expect(read('<a>', undefined)).toEqual(nothing)
  })

  test.each([
    ['a type that only ends in text/html', { 'content-type': 'application/x-text/html' }, '{}'],
    ['a later character', {}, '{"a":"<"}'],
  ])('%s is not a page', (_, headers, text) => {
    expect(classify(probeFor(valid()), { ...answer(200), headers, text }, defaultLimits)).toEqual(valid())
  })
})

test('an unknown 401 or 403 is a refusal if it is JSON or empty, and proves nothing with other text', () => {
  const read = (status: number, text: string) => {
    const body = parseJson(text)
    return classify(probeFor(nothing), { ...answer(status), body, text }, defaultLimits)
  }
  for (const status of [401, 403]) {
    for (const text of ['', '{}', '{"error":"no"}']) expect(read(status, text)).toEqual(undetermined('refused'))
    for (const text of [' ', 'Access denied']) expect(read(status, text)).toEqual(nothing)
  }
  for (const status of [200, 400, 404]) expect(read(status, '')).toEqual(nothing)
})

describe('the retry time', () => {
  const nowMs = Date.parse('2026-10-01T12:00:00Z')
  const secondsOf = (headers: Readonly<Record<string, string>>, said = undetermined('rate_limited')) => {
    const found = classify(probeFor(said), { ...answer(429), headers, nowMs }, defaultLimits)
    return found.kind === 'undetermined' ? found.retryAfterSeconds : undefined
  }

  test.each<[Readonly<Record<string, string>>, number]>([
    [{ 'retry-after': '7' }, 7],
    [{ 'retry-after': ' 7 ' }, 7],
    [{ 'retry-after': '1.2' }, 2],
    [{ 'retry-after': '0' }, 1],
    [{ 'retry-after': '300' }, 300],
    [{ 'retry-after': '301' }, 300],
    [{ 'retry-after': 'Thu, 01 Oct 2026 12:00:42 GMT' }, 42],
    [{ 'retry-after': 'Thu, 01 Oct 2026 11:00:00 GMT' }, 1],
    [{ 'retry-after': 'soon' }, 60],
    [{ 'retry-after': '7 seconds please' }, 60],
    [{ 'retry-after': '', 'ratelimit-reset': '31' }, 31],
    [{ 'x-ratelimit-reset': '32' }, 32],
    [{ 'ratelimit-reset': '31', 'x-ratelimit-reset': '32' }, 31],
    [{ 'ratelimit-reset': String(nowMs / 1_000 + 33) }, 33],
    [{ 'ratelimit-reset': '12345678901' }, 60],
    [{ 'ratelimit-reset': 'x12' }, 60],
    [{ 'ratelimit-reset': '12x' }, 60],
    [{}, 60],
  ])('%o: %i s', (headers, seconds) => {
    expect(secondsOf(headers)).toBe(seconds)
  })

  test('the provider file takes precedence over headers; a lockout takes the longest', () => {
    expect(secondsOf({ 'retry-after': '7' }, undetermined('key_rate_limited', 9))).toBe(9)
    expect(secondsOf({}, undetermined('locked_out'))).toBe(300)
    expect(secondsOf({ 'retry-after': '7' }, undetermined('locked_out'))).toBe(7)
  })
})

test.each([
  ['text/html', '<html>', 'nothing'],
  ['application/json', '{}', 'abilities'],
])('a read of abilities answered by a 403 of %s (%s) shows %s', (type, text, kind) => {
  const headers = { 'content-type': type }
  const answer = { kind: 'answer', status: 403, headers, text, body: parseJson(text), nowMs: 0 } as const
  const probe = { request: () => ({ path: '/', headers: {} }), classify: () => undetermined('unexpected_answer') }
  const options = { limits: defaultLimits, find: () => ({ hasZone: false }) }
  expect(classifyRead(probe, { ...answer, keyType: 'api_token', shape: 'any' }, options).kind).toBe(kind)
})
