import { errors, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { isCompactForm, readBearer } from '../../src/identity/authenticate.ts'
import { type Issuer, verifyToken } from '../../src/identity/issuers/verify-token.ts'
import { Problem } from '../../src/platform/problems.ts'
import { newOpaqueToken, opaqueTokenHash } from '../../src/platform/secret.ts'

// Each verification rule alone. test/http/callers/forged-tokens.test.ts sends families of forged tokens over HTTP.

const [key, another] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
const nowSeconds = 1_800_000_000
const strict: Issuer = {
  issuer: 'https://issuer.example',
  identityIssuer: 'stored name',
  keys: async () => key.publicKey,
  algorithms: ['ES256'],
  audience: ['api'],
  claims: { subject: 'sub', session: 'sid', email: 'email', emailVerified: 'email_verified', name: 'name' },
  lifetimeMaxSeconds: 3_600,
  isBuiltIn: false,
  trustsEmail: true,
  provisions: true,
  refusesIdTokens: true,
}
const claims = { iss: strict.issuer, aud: 'api', sub: 'ada', iat: nowSeconds, exp: nowSeconds + 600 }

/** `undefined` removes a claim. */
type Claims = Readonly<Record<string, unknown>>

function signed(more: Claims = {}, header: Partial<JWTHeaderParameters> = {}, by = key): Promise<string> {
  return new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: 'ES256', ...header }).sign(by.privateKey)
}

/** `strict` with other rules. An issuer has an audience or a party, never both. */
function withRules({ party, ...rules }: Partial<Issuer>): Issuer {
  const { audience, party: _, ...others } = { ...strict, ...rules }
  return party ? { ...others, party } : { ...others, audience: audience ?? [] }
}

interface Case {
  readonly issuer?: Partial<Issuer>
  readonly header?: Partial<JWTHeaderParameters>
  readonly atSeconds?: number
}

/** The result of verifying a token with these claims, or the problem code. */
async function outcomeOf(more: Claims = {}, { issuer = {}, header = {}, atSeconds = nowSeconds }: Case = {}) {
  const token = await signed(more, header)
  return codeOr(() => verifyToken(token, new Map([[strict.issuer, withRules(issuer)]]), () => atSeconds * 1_000))
}

async function codeOr<T>(work: () => T | Promise<T>): Promise<T | string> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

const accepted = expect.objectContaining({ caller: expect.anything() })
const refused = 'token_invalid'

test('maps claims to a caller, with the issuer’s name in the database', async () => {
  const more = { sid: 'session', email: 'ada@example.com', email_verified: true }
  expect(await outcomeOf(more)).toEqual({
    caller: {
      kind: 'user',
      key: '["stored name","ada"]',
      issuer: 'stored name',
      subject: 'ada',
      session: 'session',
      issuedAtMs: nowSeconds * 1_000,
      email: 'ada@example.com',
      emailTrusted: true,
      provisions: true,
    },
    expiresAtMs: (nowSeconds + 600) * 1_000,
  })
  expect(await outcomeOf({ iat: undefined }, { issuer: { provisions: false } })).toEqual({
    caller: {
      kind: 'user',
      key: '["stored name","ada"]',
      issuer: 'stored name',
      subject: 'ada',
      tokenExpiresAtMs: (nowSeconds + 600) * 1_000,
      emailTrusted: false,
      provisions: false,
    },
    expiresAtMs: (nowSeconds + 600) * 1_000,
  })
})

test('trusts an email if the issuer is trusted and marks it verified; omits a malformed email', async () => {
  const emailOf = async (more: Claims, issuer: Partial<Issuer> = {}) => {
    const verified = await outcomeOf(more, { issuer })
    return typeof verified === 'string' ? verified : [verified.caller.email, verified.caller.emailTrusted]
  }
  const email = 'ada@example.com'
  expect(await emailOf({ email, email_verified: true }, { trustsEmail: false })).toEqual([email, false])
  for (const email_verified of ['true', 1, false, undefined])
    expect(await emailOf({ email, email_verified })).toEqual([email, false])
  const long = `${'a'.repeat(60)}@${[47, 48, 47, 48].map((length) => 'b'.repeat(length)).join('.')}`
  expect(long).toHaveLength(254)
  expect(await emailOf({ email: long })).toEqual([long, false])
  for (const wrong of [`a${long}`, 'ada', 7, null]) expect(await emailOf({ email: wrong })).toEqual([undefined, false])
})

describe('times', () => {
  test.each<[string, Claims, Case, unknown]>([
    ['expired within the tolerance', {}, { atSeconds: nowSeconds + 604 }, accepted],
    ['expired beyond the tolerance', {}, { atSeconds: nowSeconds + 605 }, 'token_expired'],
    [
      'expired within the tolerance of the entry',
      {},
      { issuer: { clockToleranceSeconds: 30 }, atSeconds: nowSeconds + 629 },
      accepted,
    ],
    [
      'expired beyond the tolerance of the entry',
      {},
      { issuer: { clockToleranceSeconds: 30 }, atSeconds: nowSeconds + 630 },
      'token_expired',
    ],
    ['without exp', { exp: undefined }, {}, refused],
    ['issued within the tolerance', { iat: nowSeconds + 5 }, {}, accepted],
    ['issued beyond the tolerance', { iat: nowSeconds + 6 }, {}, refused],
    [
      'issued within the tolerance of the entry',
      { iat: nowSeconds + 30 },
      { issuer: { clockToleranceSeconds: 30 } },
      accepted,
    ],
    [
      'issued within the tolerance for the future',
      { iat: nowSeconds + 60 },
      { issuer: { futureToleranceSeconds: 60, clockToleranceSeconds: 1 } },
      accepted,
    ],
    [
      'issued beyond the tolerance for the future',
      { iat: nowSeconds + 61 },
      { issuer: { futureToleranceSeconds: 60 } },
      refused,
    ],
    ['issued in 1970', { iat: 0 }, {}, accepted],
    ['issued before', { iat: -1 }, {}, refused],
    ['with the maximum lifetime', { exp: nowSeconds + 3_605 }, {}, accepted],
    ['with a longer lifetime', { exp: nowSeconds + 3_606 }, {}, refused],
    ['not valid yet', { nbf: nowSeconds + 6 }, {}, refused],
  ])('%s', async (_, more, settings, outcome) => {
    expect(await outcomeOf(more, settings)).toEqual(outcome)
  })
})

describe('issuer, receiver and kind', () => {
  test.each<[string, Claims, Case, unknown]>([
    ['another issuer', { iss: 'https://another.example' }, {}, refused],
    ['no issuer', { iss: undefined }, {}, refused],
    ['no subject', { sub: undefined }, {}, refused],
    ['the required audience', { aud: 'api' }, { issuer: { audience: ['api'] } }, accepted],
    ['one of the allowed audiences', { aud: ['x', 'two'] }, { issuer: { audience: ['one', 'two'] } }, accepted],
    ['another audience', { aud: 'x' }, { issuer: { audience: ['one', 'two'] } }, refused],
    ['no audience', { aud: undefined }, { issuer: { audience: ['api'] } }, refused],
    ['the required party', { azp: 'two' }, { issuer: { party: { claim: 'azp', oneOf: ['one', 'two'] } } }, accepted],
    ['another party', { azp: 'x' }, { issuer: { party: { claim: 'azp', oneOf: ['one', 'two'] } } }, refused],
    ['no party', {}, { issuer: { party: { claim: 'azp', oneOf: ['one'] } } }, refused],
    ['a list as a party', { azp: ['one'] }, { issuer: { party: { claim: 'azp', oneOf: ['one'] } } }, refused],
    ['the required type', {}, { header: { typ: 'at+jwt' }, issuer: { typ: 'at+jwt' } }, accepted],
    ['another type', {}, { header: { typ: 'JWT' }, issuer: { typ: 'at+jwt' } }, refused],
    [
      'a claim with the required value',
      { token_use: 'access' },
      { issuer: { exactly: { token_use: 'access' } } },
      accepted,
    ],
    ['a claim with another value', { token_use: 'id' }, { issuer: { exactly: { token_use: 'access' } } }, refused],
    ['without that claim', {}, { issuer: { exactly: { token_use: 'access' } } }, refused],
    ['a claim with a rejected value', { is_anonymous: true }, { issuer: { never: { is_anonymous: true } } }, refused],
    [
      'a claim with another value than the rejected one',
      { is_anonymous: false },
      { issuer: { never: { is_anonymous: true } } },
      accepted,
    ],
    ['a required claim', { scope: 'x' }, { issuer: { present: ['scope'] } }, accepted],
    ['an empty required claim', { scope: '' }, { issuer: { present: ['scope'] } }, refused],
    ['a security event', { events: {} }, {}, refused],
    [
      'a security event of an issuer whose ID tokens are taken',
      { events: {} },
      { issuer: { refusesIdTokens: false } },
      refused,
    ],
    ['a nonce', { nonce: 'x' }, {}, refused],
    ['a nonce, where ID tokens are taken', { nonce: 'x' }, { issuer: { refusesIdTokens: false } }, accepted],
    ['at_hash', { at_hash: 'x' }, {}, refused],
    ['c_hash', { c_hash: 'x' }, {}, refused],
    ['s_hash', { s_hash: 'x' }, {}, refused],
    ['an algorithm that is not listed', {}, { issuer: { algorithms: ['RS256'] } }, refused],
  ])('%s', async (_, more, settings, outcome) => {
    expect(await outcomeOf(more, settings)).toEqual(outcome)
  })
})

describe('names', () => {
  const subjects: readonly (readonly [string, unknown, boolean])[] = [
    ['255 characters', 'a'.repeat(255), true],
    ['256 characters', 'a'.repeat(256), false],
    ['nothing', '', false],
    ['a number', 7, false],
    ['NUL', 'a\0b', false],
    ['a control character', 'a\x9fb', false],
    ['half a surrogate pair', 'a\ud800b', false],
    ['any letters', 'Zoë 電', true],
  ]
  test.each(subjects)('a subject with %s', async (_, sub, isGood) => {
    expect(await outcomeOf({ login: sub }, { issuer: { claims: { ...strict.claims, subject: 'login' } } })).toEqual(
      isGood ? accepted : refused,
    )
  })

  const sessionOf = async (more: Claims, issuer: Partial<Issuer> = {}) => {
    const verified = await outcomeOf(more, { issuer })
    return typeof verified === 'string' ? verified : [verified.caller.session, verified.caller.ownSessionId]
  }

  test('the session is the session claim, otherwise the second of the sign-in', async () => {
    expect(await sessionOf({ sid: 'one', auth_time: 5 })).toEqual(['one', undefined])
    expect(await sessionOf({ auth_time: 5 })).toEqual(['auth_time:5', undefined])
    expect(await sessionOf({ sid: '', auth_time: 5 })).toEqual(['auth_time:5', undefined])
    for (const auth_time of [5.5, '5', undefined])
      expect(await sessionOf({ auth_time })).toEqual([undefined, undefined])
    const { session: _, ...without } = strict.claims
    expect(await sessionOf({ sid: 'one', undefined: 'two' }, { claims: without })).toEqual([undefined, undefined])
  })

  test('a token of the built-in issuer must have a session', async () => {
    expect(await sessionOf({ sid: 'one' }, { isBuiltIn: true })).toEqual(['one', 'one'])
    expect(await sessionOf({ auth_time: 5 }, { isBuiltIn: true })).toBe(refused)
  })
})

describe('signatures', () => {
  const issuers = (issuer: Partial<Issuer> = {}) => new Map([[strict.issuer, withRules(issuer)]])
  const now = () => nowSeconds * 1_000

  test('rejects another spelling of the same signature bytes', async () => {
    const token = await signed()
    const last = token.at(-1) ?? ''
    const texts = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].map(
      (one) => token.slice(0, -1) + one,
    )
    const good = await Promise.all(texts.map((text) => codeOr(() => verifyToken(text, issuers(), now))))
    expect(texts.filter((_, n) => typeof good[n] !== 'string')).toEqual([token.slice(0, -1) + last])
    expect(await codeOr(() => verifyToken('no token', issuers(), now))).toBe(refused)
  })

  test('rejects an unknown key, and verifies again if the keys were renewed', async () => {
    const token = await signed({}, {}, another)
    let keys = key.publicKey
    const outcome = (watchKeys?: Issuer['watchKeys']) =>
      codeOr(() => verifyToken(token, issuers({ keys: async () => keys, ...(watchKeys && { watchKeys }) }), now))
    expect(await outcome()).toBe(refused)
    expect(await outcome(() => async () => false)).toBe(refused)
    expect(await outcome(() => async () => true)).toBe(refused)
    const renewed = () => async () => {
      keys = another.publicKey
      return true
    }
    expect(await outcome(renewed)).toEqual(accepted)
  })

  test('fetches keys only after a wrong signature, and reports why keys are missing', async () => {
    let asked = 0
    const watchKeys = () => async () => {
      asked += 1
      return true
    }
    expect(
      await codeOr(async () => verifyToken(await signed({ exp: nowSeconds - 60 }), issuers({ watchKeys }), now)),
    ).toBe('token_expired')
    expect(asked).toBe(0)
    const missing = async () => {
      throw new Problem('issuer_unavailable')
    }
    expect(await codeOr(async () => verifyToken(await signed(), issuers({ keys: missing }), now))).toBe(
      'issuer_unavailable',
    )
    const broken = async () => {
      throw new errors.JWKSNoMatchingKey()
    }
    expect(await codeOr(async () => verifyToken(await signed(), issuers({ keys: broken }), now))).toBe(refused)
  })
})

test.each([
  ['at+jwt', true],
  ['AT+JWT', true],
  ['application/at+jwt', true],
  ['JWT', true],
  [undefined, true],
  ['secevent+jwt', false],
  ['application/logout+JWT', false],
  ['x-application/at+jwt', false],
])('an entry without a type: a token of the type %s is %s', async (typ, isGood) => {
  expect(await outcomeOf({}, { header: typ === undefined ? {} : { typ } })).toEqual(isGood ? accepted : refused)
})

test('logs the cause of a rejected token', async () => {
  const causeOf = async (token: string) => {
    try {
      await verifyToken(token, new Map([[strict.issuer, strict]]), () => nowSeconds * 1_000)
    } catch (error) {
      return error instanceof Problem ? error.more.cause : undefined
    }
    throw new Error('it was accepted')
  }
  expect(await causeOf(await signed({ exp: nowSeconds - 60 }))).toBeInstanceOf(errors.JWTExpired)
  expect(await causeOf(await signed({}, {}, another))).toBeInstanceOf(errors.JWSSignatureVerificationFailed)
})

describe('the Authorization header', () => {
  test('names the problem when the header is sent twice', () => {
    const twice = ['Authorization', 'Bearer abc', 'authorization', 'Bearer abc']
    expect(() => readBearer(twice)).toThrow(
      expect.objectContaining({ more: { detail: 'The header Authorization was sent twice.' } }),
    )
  })

  const read = (...lines: readonly string[]) => codeOr(() => readBearer(lines))

  test.each([
    [['Authorization', 'Bearer abc'], 'abc'],
    [['authorization', 'bEARER abc'], 'abc'],
    [['Host', 'x', 'AUTHORIZATION', 'Bearer abc', 'Accept', '*/*'], 'abc'],
    [[], 'token_missing'],
    [['Authorization', ''], 'token_missing'],
    [['Authorization', 'Basic abc'], 'token_missing'],
    [['Authorization', 'BearerX abc'], 'token_missing'],
    [['Proxy-Authorization', 'Bearer abc'], 'token_missing'],
    [['authorisation', 'Bearer abc'], 'token_missing'],
    [['authorisatioX', 'Bearer abc'], 'token_missing'],
    [['x', 'Authorization', 'Bearer abc', 'y'], 'token_missing'],
    [['Authorization', 'Bearer'], 'token_malformed'],
    [['Authorization', 'Bearer '], 'token_malformed'],
    [['Authorization', 'Bearer  abc'], 'token_malformed'],
    [['Authorization', 'Bearer abc def'], 'token_malformed'],
    [['Authorization', 'Bearer abc', 'Authorization', 'Bearer abc'], 'token_malformed'],
  ])('%j: %s', async (lines, outcome) => {
    expect(await read(...lines)).toBe(outcome)
  })

  test('accepts only three base64url parts, of which the last may be empty', () => {
    for (const token of ['a.b.c', 'A-_9.b.', 'a.b.c-_']) expect(isCompactForm(token), token).toBe(true)
    for (const token of ['a.b', 'a.b.c.d.e', 'a..c', '.b.c', 'a.b.c=', 'a.b.c\n', ' a.b.c', 'a+.b.c', 'a.b+.c'])
      expect(isCompactForm(token), token).toBe(false)
  })
})

test('the caller’s key depends on issuer and subject, not on the session', async () => {
  const keyOf = async (more: Claims, issuer: Partial<Issuer> = {}) => {
    const verified = await outcomeOf(more, { issuer })
    return typeof verified === 'string' ? verified : verified.caller.key
  }
  expect(await keyOf({ sid: 'a' })).toBe(await keyOf({ sid: 'b' }))
  const others = [await keyOf({}), await keyOf({ sub: 'eve' }), await keyOf({}, { identityIssuer: 'other name' })]
  expect(new Set(others).size).toBe(3)
})

test('an opaque token has a prefix for its kind and 256 random bits, and is stored as its SHA-256', () => {
  for (const [kind, prefix] of [
    ['refresh', 'mrt_'],
    ['challenge', 'mct_'],
    ['invitation', 'mit_'],
  ] as const) {
    const { token, hash } = newOpaqueToken(kind)
    expect(token.open()).toMatch(new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`))
    expect(hash).toEqual(opaqueTokenHash(token.open()))
    expect(newOpaqueToken(kind).token.open()).not.toBe(token.open())
  }
  expect(opaqueTokenHash('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})
