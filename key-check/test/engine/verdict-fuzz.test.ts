import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readProviders } from '../../engine/catalogue.ts'
import { classify } from '../../engine/classify.ts'
import { defaultLimits } from '../../engine/limits.ts'
import type { Classification, CredentialTraits, ProviderAnswer } from '../../engine/provider.ts'
import { parseJson } from '../../engine/provider-client.ts'
import cloudflare from '../../providers/cloudflare.ts'

const nowMs = Date.parse('2026-10-01T12:00:00Z')
const providers = await readProviders()

/** Replaces values of recorded answers. */
const junk = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>('active', 'disabled', true, false, 'true', 1000, 9109, 10000, 0, '', null, [], {}),
)

const codes = [0, 971, 1000, 1001, 6003, 6102, 6103, 6111, 7003, 9103, 9106, 9109, 10000, 10001, 10100, 10429, 10502]
const texts = [
  'Invalid access token',
  'Unauthorized to access requested resource',
  'Valid user-level authentication not found',
  'Cannot use the access token from location: 1.2.3.4',
  'Max auth failures reached',
  'Invalid API Token',
  'List accounts endpoint does not support account owned tokens.',
  "Actor 'x' requires permission 'y' to list zones",
  'Something new',
]
const error = fc.record(
  {
    code: fc.oneof(fc.constantFrom<unknown>(...codes), junk),
    message: fc.oneof(fc.constantFrom<unknown>(...texts), junk),
    error_chain: fc.oneof(fc.constant(undefined), junk),
  },
  { requiredKeys: [] },
)
const instants = ['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z', '2026-10-01T12:00:30Z', 'soon', 0]
const result = fc.record(
  {
    id: junk,
    status: fc.oneof(fc.constantFrom<unknown>('active', 'active', 'disabled', 'expired', 'revoked'), junk),
    not_before: fc.constantFrom<unknown>(undefined, null, ...instants),
    expires_on: fc.constantFrom<unknown>(undefined, null, ...instants),
  },
  { requiredKeys: [] },
)
const envelope = fc.record(
  {
    success: fc.oneof(fc.constantFrom<unknown>(true, true, false, 'true', 1), junk),
    errors: fc.oneof(fc.array(error, { maxLength: 3 }), fc.array(error, { maxLength: 3 }), junk),
    messages: junk,
    result: fc.oneof(result, result, junk),
  },
  { requiredKeys: [] },
)
const otherSuccess = [201, 202, 203, 204, 205, 206, 207, 208, 226, 299]
const status = fc.constantFrom(
  200,
  200,
  200,
  ...otherSuccess,
  301,
  400,
  401,
  401,
  403,
  403,
  404,
  418,
  429,
  500,
  502,
  520,
)
const shape = fc.constantFrom('user_token', 'account_token', 'old_token', 'old_global_key', 'other')

test('Cloudflare: valid only for an active token inside its window, or for a text that only a genuine token gets', () => {
  const genuine = [/^unauthorized to access/i, /^cannot use the/i, /^valid user-level/i, /^list accounts/i, /^actor /i]
  check((classification, { body, statusCode }) => {
    if (classification.kind !== 'valid') return
    if (classification.caveat) {
      expect(body.success).toBe(false)
      expect(messagesIn(body).some((text) => genuine.some((pattern) => pattern.test(text)))).toBe(true)
      return
    }
    const { result } = body
    expect({ statusCode, success: body.success, status: at(result, 'status') }).toEqual({
      statusCode: 200,
      success: true,
      status: 'active',
    })
    expect(body.errors ?? []).toEqual([])
    for (const [name, isFine] of bounds) {
      const bound = at(result, name) ?? undefined
      if (bound !== undefined) expect(typeof bound === 'string' && isFine(Date.parse(bound))).toBe(true)
    }
  })
})

const bounds = [
  ['expires_on', (ms: number) => ms >= nowMs - 60_000],
  ['not_before', (ms: number) => ms <= nowMs + 60_000],
] as const

test('Cloudflare: invalid only for a reported status or a listed code', () => {
  const definite = [1000, 6102, 6103, 6111, 9103, 9109, 10000, 10001]
  check((classification, { body, statusCode }) => {
    const outcome = classification.kind === 'retry' ? classification.otherwise : classification
    if (outcome.kind !== 'invalid') return
    expect(statusCode).toBeLessThan(500)
    expect(statusCode).not.toBe(429)
    if (body.success === true) {
      expect(statusCode).toBe(200)
      expect(typeof at(body.result, 'status')).toBe('string')
      if (at(body.result, 'status') === 'active') expect(['expired', 'not_yet_valid']).toContain(outcome.reason)
      return
    }
    expect(body.success).toBe(false)
    expect(codesIn(body).some((code) => definite.includes(code))).toBe(true)
  })
})

test('Cloudflare: a lockout or a rate limit takes precedence', () => {
  check((classification, { body }) => {
    const isBusy = codesIn(body).some((code) => [10502, 971, 10429, 10100].includes(code))
    if (!isBusy || body.success === true) return
    expect(classification).toMatchObject({ kind: 'undetermined', retryAfterSeconds: expect.any(Number) })
  })
})

test('every provider: a mutated or random answer never throws, and gives no verdict outside 200 and 4xx', () => {
  const random = fc.record({
    body: fc.oneof(
      fc.json(),
      fc.string(),
      envelope.map((body) => JSON.stringify(body)),
    ),
    status,
  })
  for (const { id, keyTypes, firstProbe } of providers.values())
    for (const keyType of ['api_token', 'api_key'] as const) {
      if (!keyTypes[keyType]) continue
      const about = { keyType, shape: 'any' }
      fc.assert(
        fc.property(random, ({ body, status: statusCode }) => {
          // RFC 9110 §15.3.5: a 204 has no body.
          const text = statusCode === 204 ? '' : body
          const classification = classify(firstProbe(about), answerOf(statusCode, text, about), defaultLimits)
          const isVerdict = classification.kind === 'valid' || classification.kind === 'invalid'
          if (isVerdict) expect(statusCode === 200 || (statusCode >= 400 && statusCode < 429), id).toBe(true)
          if (classification.kind === 'valid' && !classification.caveat) expect(statusCode, id).toBe(200)
        }),
        // Regression: a 204 with a body got a verdict.
        { numRuns: 200, examples: [[{ body: '{"status":"success","data":{}}', status: 204 }]] },
      )
    }
})

interface Case {
  readonly body: { readonly [name: string]: unknown }
  readonly statusCode: number
}

function answerOf(status: number, text: string, traits: CredentialTraits): ProviderAnswer {
  return { kind: 'answer', ...traits, status, headers: {}, text, body: parseJson(text), nowMs }
}

function check(expectation: (classification: Classification, given: Case) => void): void {
  fc.assert(
    fc.property(envelope, status, shape, (body, statusCode, shapeName) => {
      const about = { keyType: 'api_token', shape: shapeName } as const
      const answer = answerOf(statusCode, JSON.stringify(body), about)
      const classification = classify(cloudflare.firstProbe({ ...about, shape: 'any' }), answer, defaultLimits)
      expectation(classification, { body: JSON.parse(answer.text), statusCode })
    }),
    // Regression: a code whose `toString` is not a function threw.
    { numRuns: 2_000, examples: [[{ success: false, errors: [{ code: { toString: 0 } }] }, 403, 'other']] },
  )
}

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}

function errorsIn(body: Case['body']): unknown[] {
  const list = Array.isArray(body.errors) ? body.errors : []
  return list.flatMap((item) => {
    const chain = at(item, 'error_chain')
    return [item, ...(Array.isArray(chain) ? chain : [])]
  })
}

function codesIn(body: Case['body']): number[] {
  // A random object may have a member `toString` that is not a function.
  return errorsIn(body).map((item) => {
    const code = at(item, 'code')
    return typeof code === 'number' || typeof code === 'string' ? Number(code) : Number.NaN
  })
}

function messagesIn(body: Case['body']): string[] {
  return errorsIn(body).map((item) => {
    const message = at(item, 'message')
    return typeof message === 'string' ? message : ''
  })
}
