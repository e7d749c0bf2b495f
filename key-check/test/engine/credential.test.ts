import { describe, expect, test } from 'vitest'
import { samples as S, synthetic } from '../../../simulators/cloudflare/state.ts'
import { infoOf } from '../../engine/catalogue.ts'
import { readInput } from '../../engine/check.ts'
import { digestOf, openCredential, readCredential } from '../../engine/credential.ts'
import { type Provider, provider, valid } from '../../engine/provider.ts'
import { type KeyCheck, KeyCheckError } from '../../index.ts'
import { startHarness } from './harness.ts'

describe('clean removes what was pasted around a key', () => {
  test.each([
    ['white space', `  ${S.userToken}\r\n\t`, ''],
    ['no-break and ideographic space', `\u00a0${S.userToken}\u3000`, ''],
    ['byte order mark and zero width characters', `\ufeff\u200b${S.userToken}\u200d\u2060`, ''],
    ['Bearer', `Bearer ${S.userToken}`, ' (its first word left out)'],
    ['bearer in another case, with more space', `bEARER   ${S.userToken}`, ' (its first word left out)'],
    ['double quotes', `"${S.userToken}"`, ' (its quotes left out)'],
    ['single quotes', `'${S.userToken}'`, ' (its quotes left out)'],
    ['curly quotes', `“${S.userToken}”`, ' (its quotes left out)'],
    ['quotes around Bearer', `"Bearer ${S.userToken}"`, ' (its quotes and its first word left out)'],
    ['Bearer before quotes', `Bearer "${S.userToken}"`, ' (its first word and its quotes left out)'],
    ['the line of a .env file', `CF_API_TOKEN=${S.userToken}\n`, ' (the name before it left out)'],
    ['export, with quotes', `export token='${S.userToken}'`, ' (the name before it and its quotes left out)'],
    ['JSON', `{"token": "${S.userToken}"}`, ' (the JSON around it left out)'],
    ['a line of JSON', `"token": "${S.userToken}",`, ' (the name before it and its quotes left out)'],
    ['YAML', `api_token: ${S.userToken}`, ' (the name before it left out)'],
    ['a line of an .ini file', `dns_cloudflare_api_token = ${S.userToken}`, ' (the name before it left out)'],
    ['a name in lower case', `cf_token=${S.userToken}`, ' (the name before it left out)'],
    ['a header', `Authorization: Bearer ${S.userToken}`, ' (the name before it and its first word left out)'],
    ['a line break written out', `${S.userToken}\\r\\n`, ' (the line break after it left out)'],
    ['a line break inside quotes', `"${S.userToken}\\n"`, ' (its quotes and the line break after it left out)'],
  ])('%s', async (_, pasted, note) => {
    const { check, simulator } = await startHarness()
    const { outcome, message } = await check(pasted)
    expect({ outcome, message }).toEqual({
      outcome: 'valid',
      message: `The Cloudflare API token is genuine; its permissions were not checked${note}.`,
    })
    expect(simulator.received.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${S.userToken}`])
  })

  test.each([
    ['one quote only', `"${S.userToken}`],
    ['two pairs of quotes', `"'${S.userToken}'"`],
  ])('%s: is sent unchanged, and the provider decides', async (_, pasted) => {
    const { outcomeOf, simulator } = await startHarness()
    expect(await outcomeOf(pasted)).toEqual({ outcome: 'invalid', code: 'malformed' })
    expect(simulator.received).toHaveLength(1)
  })
})

describe('a value that cannot be a header is invalid without a call', () => {
  test.each([
    ['nothing', '', 'empty'],
    ['white space', ' \t\n', 'empty'],
    ['a line feed inside', `${S.userToken}\nx`, 'impossible_characters'],
    ['a header inside', 'a\r\nX-Auth-Key: b', 'impossible_characters'],
    ['a space inside', 'a b', 'impossible_characters'],
    ['NUL', 'a\0b', 'impossible_characters'],
    ['a letter beyond ASCII', 'aäb', 'impossible_characters'],
    ['a zero width space inside', 'a\u200bb', 'impossible_characters'],
    ['half a surrogate pair', 'a\ud800b', 'impossible_characters'],
    ['DEL', 'a\x7fb', 'impossible_characters'],
    ['4,096 spaces inside', `a${' '.repeat(4_094)}b`, 'impossible_characters'],
  ])('%s', async (_, apiKey, code) => {
    const { outcomeOf, simulator } = await startHarness()
    expect(await outcomeOf(apiKey)).toEqual({ outcome: 'invalid', code })
    expect(simulator.received).toHaveLength(0)
  })
})

describe('400 input_invalid', () => {
  test.each([
    ['no email', undefined],
    ['an empty email', ''],
    ['a blank email', '  '],
    ['no @', 'user.example.com'],
    ['two @', 'a@b@example.com'],
    ['a line feed', 'a@example.com\r\nX-Auth-Key: x'],
    ['a space', 'a b@example.com'],
    ['letters beyond ASCII', 'jörg@example.com'],
    ['255 characters', `${'a'.repeat(243)}@example.com`],
  ])('%s points at /email and makes no call', async (_, email) => {
    const { keyChecks, simulator } = await startHarness()
    const check = keyChecks.check({ keyType: 'api_key', apiKey: S.oldGlobalKey, email })
    const problem = await problemOf(check)
    expect(problem).toMatchObject({ code: 'input_invalid', faults: [{ at: '/email' }] })
    expect(simulator.received).toHaveLength(0)
  })

  test('rejects a malformed email even for a token', async () => {
    const { keyChecks } = await startHarness()
    const check = keyChecks.check({ keyType: 'api_token', apiKey: 'x', email: 'nobody' })
    expect(await problemOf(check)).toMatchObject({ faults: [{ at: '/email' }] })
  })

  test('trims an email', async () => {
    const { check } = await startHarness()
    expect((await check(S.oldGlobalKey, { email: ` ${S.email}\n` })).outcome).toBe('valid')
  })

  test.each([
    ['nobody', 'No provider with this id is supported; see providers'],
    ['constructor', 'No provider with this id is supported; see providers'],
    ['clouflare', 'No provider with this id is supported \\(did you mean cloudflare\\?\\); see providers'],
    [
      'clouddns',
      'Several providers have this name: cloudns \\(ClouDNS\\) or googlecloud \\(Google Cloud\\); see providers',
    ],
    ['dns_inwx', 'INWX has no read-only call: each check would sign in as the owner; see providers'],
    ['pdns', 'PowerDNS is self-hosted, so the operator must set its address: MUSTER_PROVIDER_POWERDNS_URL'],
    ['inwx', 'INWX has no read-only call: each check would sign in as the owner; see providers'],
    ['powerdns', 'PowerDNS is self-hosted, so the operator must set its address: MUSTER_PROVIDER_POWERDNS_URL'],
  ])('provider_unsupported — %s', async (provider, start) => {
    const { keyChecks } = await startHarness()
    const detail = expect.stringMatching(new RegExp(`^${start}.* for the supported providers\\.$`))
    const check = keyChecks.check({ provider, keyType: 'api_token', apiKey: 'x' })
    expect(await problemOf(check)).toMatchObject({
      code: 'provider_unsupported',
      message: detail,
      faults: [{ at: '/provider', detail }],
    })
  })
})

describe('the hint in a message', () => {
  test.each([
    ['a global key as a token', S.oldGlobalKey, undefined, /looks like a Global API Key, so use keyType "api_key"/],
    ['a new global key as a token', S.globalKey, undefined, /looks like a Global API Key/],
    ['a token as a global key', S.userToken, S.email, /looks like an API token, so use keyType "api_token"/],
    ['an old token as a global key', S.oldUserToken, S.email, /looks like an API token/],
    ['a zone id as a token', '023e105f4ecef8ad9ca31a8372d0c353', undefined, /ID of a zone or an account/],
    ['an Origin CA key as a token', `v1.0-${'a'.repeat(24)}-${'b'.repeat(146)}`, undefined, /Origin CA key/],
    ['a token with a wrong checksum', `${S.unknownUserToken.slice(0, -1)}z`, undefined, /truncated or mistyped/],
    ['a truncated token', S.unknownAccountToken.slice(0, -2), undefined, /truncated or mistyped/],
    ['39 of 40 characters', S.oldAccountToken.slice(1), undefined, /truncated or mistyped/],
    ['a token in base64', Buffer.from(S.userToken).toString('base64'), undefined, /key in base64, so decode it first/],
    ['a token with quotes inside', '"\'CLOUDFLARE_API_TOKEN_THAT_WAS_NEVER_FILLED', undefined, /contains quotes, so/],
    ['an OAuth token', `cfoat_${'a'.repeat(40)}`, undefined, /OAuth login token/],
    ['an unknown token of the right shape', S.unknownUserToken, undefined, /copy it again or create a new one/],
  ])('%s', async (_, apiKey, email, hint) => {
    const { check } = await startHarness()
    const { outcome, message } = await check(apiKey, email === undefined ? {} : { email })
    expect(outcome).toBe('invalid')
    expect(message).toMatch(hint)
  })

  test('accepts a checksum that starts with 0', async () => {
    const tokens = Array.from({ length: 1_000 }, (_, n) => synthetic('cfut_', `Zero${n}x`))
    const token = tokens.find((each) => /0[0-9a-f]{7}$/.test(each))
    const { check } = await startHarness()
    const { outcome, message } = await check(token ?? '')
    expect(outcome).toBe('invalid')
    expect(message).not.toMatch(/truncated or mistyped/)
  })

  test('a wrong checksum alone never makes a token invalid', async () => {
    const { check, simulator } = await startHarness()
    const mistyped = `${S.userToken.slice(0, -1)}0`
    simulator.state.tokens.push({ value: mistyped, status: 'active', permissions: [] })
    expect((await check(mistyped)).outcome).toBe('valid')
  })
})

async function problemOf(check: Promise<unknown>): Promise<KeyCheckError> {
  try {
    await check
  } catch (error) {
    if (error instanceof KeyCheckError) return error
    throw error
  }
  throw new Error('no problem was thrown')
}

const keyField = (label: string) => ({
  name: 'apiKey',
  at: '/apiKey',
  label,
  secret: true,
  required: true,
  multiline: false,
})
const emailField = {
  name: 'email',
  at: '/email',
  label: 'email address of the account',
  secret: false,
  required: true,
  multiline: false,
}

test('the catalogue lists key types, the first call of each, and remarks', () => {
  const { api_key: _, ...keyTypes } = both.keyTypes
  const asked = 'GET https://both.example/'
  const { id, title, docs, keyPage, certainty } = both
  const info = { id, title, docs, keyPage, certainty }
  expect(infoOf(both)).toEqual({
    ...info,
    keyTypes: [
      { keyType: 'api_token', label: 'token', email: 'unused', asked, fields: [keyField('token')] },
      { keyType: 'api_key', label: 'key', email: 'required', asked, fields: [emailField, keyField('key')] },
    ],
  })
  const posted = provider({
    ...both,
    keyTypes,
    remarks: 'Slow.',
    firstProbe: ({ shape }) => ({
      request: ({ apiKey, email }) => ({ path: `/${shape}${apiKey}${email}`, headers: {}, body: '{}' }),
      classify: () => valid(),
    }),
  })
  expect(infoOf(posted)).toEqual({
    ...info,
    keyTypes: [
      {
        keyType: 'api_token',
        label: 'token',
        email: 'unused',
        asked: 'POST https://both.example/any',
        fields: [keyField('token')],
      },
    ],
    remarks: 'Slow.',
  })
})

/** A provider with a key type that needs an email address and one that does not. */
const both = provider({
  id: 'both',
  title: 'Both',
  docs: 'https://both.example/docs',
  keyPage: 'https://both.example/keys',
  baseUrl: 'https://both.example',
  keyTypes: {
    api_token: { label: 'token' },
    api_key: { label: 'key', email: 'required' },
  },
  certainty: 'documented',
  firstRead: { grows: 'never' },
  abilities: { unknown: 'Not known.' },
  request: () => ({ path: '/', headers: {} }),
  classify: () => valid(),
})

function read(apiKey: string, more: Partial<KeyCheck> = {}, from: Provider = both) {
  const { credential, unusable } = readCredential(from, readInput({ keyType: 'api_token', apiKey, ...more }))
  const { notes, shape } = credential
  return { ...openCredential(credential), notes, shape, unusable: unusable?.reason }
}

describe('readCredential', () => {
  test.each([
    ['  x\t', 'x', []],
    ['\u00ad\u180e\u200b\u200f\u2060\ufeffx\ufeff\u00a0', 'x', []],
    ['x', 'x', []],
    ['""', '""', []],
    ['"x"', 'x', ['quotes']],
    ['" x "', 'x', ['quotes']],
    ["'x'", 'x', ['quotes']],
    ['`x`', 'x', ['quotes']],
    ['“x”', 'x', ['quotes']],
    ['‘x’', 'x', ['quotes']],
    ['"x\'', '"x\'', []],
    ['""x""', '"x"', ['quotes']],
    ['Bearer x', 'x', ['scheme']],
    ['token  x', 'x', ['scheme']],
    ['ApiKey\tx', 'x', ['scheme']],
    ['Bearerx', 'Bearerx', []],
    ['xBearer y', 'xBearer y', []],
    ['Bearer "x"', 'x', ['scheme', 'quotes']],
    ['"Bearer x"', 'x', ['quotes', 'scheme']],
    ['"Bearer "x""', '"x"', ['quotes', 'scheme']],
    ['A_B=x', 'x', ['name']],
    ['A_B="x=="', 'x==', ['name', 'quotes']],
    ['$env:Key = x', 'x', ['name']],
    ['A_B=', 'A_B=', []],
    ['AB=x', 'AB=x', []],
    ['a_b=x', 'a_b=x', []],
    ['QUJD_RA==', 'QUJD_RA==', []],
    ['{"a":"x","b":"y"}', '{"a":"x","b":"y"}', []],
    ['{"a":1}', '{"a":1}', []],
    ['{x}', '{x}', []],
    ['\\n', '\\n', []],
    ['x\\ny', 'x\\ny', []],
  ])('reads %j as %j', (pasted, apiKey, notes) => {
    expect(read(pasted)).toMatchObject({ apiKey, notes })
  })

  test('returns a reason if a header cannot carry the value', () => {
    expect(read(' ').unusable).toBe('empty')
    for (const text of ['!', '~', 'aZ09-_.=']) expect(read(text).unusable).toBeUndefined()
    for (const text of ['a b', 'a\x1fb', 'a\x7fb', 'ab\u0080', '\u00e4'])
      expect(read(text).unusable).toBe('impossible_characters')
  })

  test('keeps an email address only if the type needs it, trimmed, at most 254 characters', () => {
    const email = ' ada@example.com\t'
    expect(read('x', { email })).toMatchObject({ email: '', keyType: 'api_token' })
    expect(read('x', { email, keyType: 'api_key' })).toMatchObject({ email: 'ada@example.com', keyType: 'api_key' })
    expect(read('x').email).toBe('')
    expect(read('x', { email: `${'a'.repeat(242)}@example.com`, keyType: 'api_key' }).email).toHaveLength(254)
    const missing = "Both needs the account's email address."
    const wrong = 'This is not an email address.'
    for (const [given, keyType, detail] of [
      [undefined, 'api_key', missing],
      [' ', 'api_key', missing],
      ['', 'api_token', wrong],
      [`${'a'.repeat(243)}@example.com`, 'api_key', wrong],
      ['@example.com', 'api_key', wrong],
      ['ada@', 'api_key', wrong],
      ['ada@example.com@', 'api_key', wrong],
    ] as const)
      expect(() => read('x', { email: given, keyType })).toThrow(
        expect.objectContaining({ code: 'input_invalid', faults: [{ at: '/email', detail }] }),
      )
  })

  test('rejects an unsupported key type and lists the supported ones', () => {
    const { api_key: _, ...keyTypes } = both.keyTypes
    const detail = 'Both does not support api_key; it supports api_token.'
    expect(() => read('x', { keyType: 'api_key' }, { ...both, keyTypes })).toThrow(
      expect.objectContaining({ code: 'input_invalid', faults: [{ at: '/keyType', detail }] }),
    )
  })

  test('keeps the lines of a file and the white space around them, with line feeds only', () => {
    const file: Provider = { ...both, keyTypes: { api_token: { label: 'file', isMultiline: true } } }
    expect(read(' \ufeff"a"\r\n\tb c\r\n', {}, file)).toMatchObject({
      apiKey: '"a"\n\tb c',
      notes: [],
      unusable: undefined,
    })
    expect(read('a\r\nb')).toMatchObject({ apiKey: 'a\r\nb', unusable: 'impossible_characters' })
  })

  test('takes the shape from the provider file, for the cleaned value', () => {
    expect(read('x').shape).toBe('any')
    expect(read(' "abc" ', {}, { ...both, shapeOf: (value) => `of ${value.length}` }).shape).toBe('of 3')
  })

  test('includes provider, type, email address and value in the cache key', () => {
    const key = Buffer.from('key')
    const other: Provider = { ...both, id: 'other' }
    const keys = [
      readCredential(both, readInput({ keyType: 'api_token', apiKey: 'x' })),
      readCredential(both, readInput({ keyType: 'api_token', apiKey: 'y' })),
      readCredential(other, readInput({ keyType: 'api_token', apiKey: 'x' })),
      readCredential(both, readInput({ keyType: 'api_key', apiKey: 'x', email: 'ada@example.com' })),
      readCredential(both, readInput({ keyType: 'api_key', apiKey: 'x', email: 'bob@example.com' })),
    ].map(({ credential }) => digestOf(credential, key))
    expect(new Set(keys).size).toBe(keys.length)
  })
})
