import { describe, expect, test } from 'vitest'

import { json } from '../../../simulators/cloudflare/routes.ts'
import { samples as S } from '../../../simulators/cloudflare/state.ts'
import type { Harness, ShortResult } from '../engine/harness.ts'
import { startHarness } from '../engine/harness.ts'

const VERIFY = '/user/tokens/verify'
const ACCOUNTS = '/accounts?per_page=5'
const ZONES = '/zones?per_page=5'
const ACCOUNT_VERIFY = '/accounts/023e105f4ecef8ad9ca31a8372d0c353/tokens/verify'
const USER = '/user'

const INVALID: ShortResult = { outcome: 'invalid', code: 'not_recognised' }
const MALFORMED: ShortResult = { outcome: 'invalid', code: 'malformed' }
const UNEXPECTED: ShortResult = { outcome: 'undetermined', code: 'provider_answer_unexpected' }
const REFUSED: ShortResult = { outcome: 'undetermined', code: 'provider_refused' }
const LOCKED: ShortResult = { outcome: 'undetermined', code: 'provider_busy', retryAfterSeconds: 300 }
const LIMITED: ShortResult = { outcome: 'undetermined', code: 'provider_busy', retryAfterSeconds: 60 }

const errors = (...list: [code: number | string, message: string][]) => ({
  success: false,
  errors: list.map(([code, message]) => ({ code, message })),
  messages: [],
  result: null,
})
const chain = (...codes: number[]) => ({
  success: false,
  errors: [
    {
      code: 6003,
      message: 'Invalid request headers',
      error_chain: codes.map((code) => ({ code, message: 'Invalid' })),
    },
  ],
  messages: [],
  result: null,
})
const state = (result: object | null, more: object = {}) => ({
  success: true,
  errors: [],
  messages: [],
  result,
  ...more,
})

const refused1000 = [401, errors([1000, 'Invalid API Token'])] as const
const location = errors([9109, 'Cannot use the access token from location: 183.154.104.196'])
const unauthorized = errors([9109, 'Unauthorized to access requested resource'])
const userLevel = errors([9109, 'Valid user-level authentication not found'])
const invalidToken = errors([9109, 'Invalid access token'])
const maxFailures = errors([9109, 'Max auth failures reached, please check your Authorization header.'])
const lockOut = errors([10502, 'Too many authentication failures. Please try again later.'])
const actor = errors([0, "Actor 'com.cloudflare.api.token.x' requires permission 'zone.list' to list zones"])
const legacy = errors([1001, 'List accounts endpoint does not support account owned tokens.'])
const e10000 = errors([10000, 'Authentication error'])
const e10001 = errors([10001, 'Unable to authenticate request'])

type Script = Readonly<Record<string, readonly [status: number, body: unknown]>>

describe('GET /user/tokens/verify', () => {
  test.each<[string, number, unknown, ShortResult]>([
    ['V1 active', 200, state({ id: '1', status: 'active' }), { outcome: 'valid', code: 'valid' }],
    [
      'V1 active, messages are not errors',
      200,
      state({ status: 'active' }, { messages: [{ code: 1000 }] }),
      { outcome: 'valid', code: 'valid' },
    ],
    [
      'V1 active, members missing',
      200,
      { success: true, result: { status: 'active' } },
      { outcome: 'valid', code: 'valid' },
    ],
    [
      'V1 active, messages of text and unknown members',
      200,
      { ...state({ status: 'active', x: 1 }), messages: ['a'], y: 2 },
      { outcome: 'valid', code: 'valid' },
    ],
    [
      'V1 active, bounds of null',
      200,
      state({ status: 'active', expires_on: null, not_before: null }),
      { outcome: 'valid', code: 'valid' },
    ],
    [
      'V2 active, the window has passed',
      200,
      state({ status: 'active', not_before: '2018-07-01T05:20:00Z', expires_on: '2020-01-01T00:00:00Z' }),
      { outcome: 'invalid', code: 'expired_on' },
    ],
    [
      'V2 the window ended within the skew of clocks',
      200,
      state({ status: 'active', expires_on: '2026-10-01T11:59:30Z' }),
      { outcome: 'valid', code: 'valid' },
    ],
    [
      'V2 the window ended beyond the skew',
      200,
      state({ status: 'active', expires_on: '2026-10-01T11:58:30Z' }),
      { outcome: 'invalid', code: 'expired_on' },
    ],
    [
      'V5 the window begins within the skew',
      200,
      state({ status: 'active', not_before: '2026-10-01T12:00:30Z' }),
      { outcome: 'valid', code: 'valid' },
    ],
    [
      'V5 the window begins beyond the skew',
      200,
      state({ status: 'active', not_before: '2026-10-01T12:01:30Z' }),
      { outcome: 'invalid', code: 'not_yet_valid' },
    ],
    ['a bound that is no instant', 200, state({ status: 'active', expires_on: 'soon' }), UNEXPECTED],
    ['a bound that is a number', 200, state({ status: 'active', expires_on: 1 }), UNEXPECTED],
    ['a bound without an offset', 200, state({ status: 'active', expires_on: '2027-01-01T00:00:00' }), UNEXPECTED],
    ['V3 expired', 200, state({ id: '1', status: 'expired' }), { outcome: 'invalid', code: 'expired' }],
    ['V4 disabled', 200, state({ id: '1', status: 'disabled' }), { outcome: 'invalid', code: 'disabled' }],
    ['revoked', 200, state({ id: '1', status: 'revoked' }), { outcome: 'invalid', code: 'not_active' }],
    ['Active in another case', 200, state({ status: 'Active' }), { outcome: 'invalid', code: 'not_active' }],
    ['no status', 200, state({ id: '1' }), UNEXPECTED],
    ['a status that is no text', 200, state({ status: true }), UNEXPECTED],
    ['no result', 200, { success: true }, UNEXPECTED],
    ['result null', 200, state(null), UNEXPECTED],
    ['success as text', 200, { ...state({ status: 'active' }), success: 'true' }, UNEXPECTED],
    ['success as a number', 200, { ...state({ status: 'active' }), success: 1 }, UNEXPECTED],
    ['no success', 200, { errors: [], result: { status: 'active' } }, UNEXPECTED],
    [
      'active under __proto__ only',
      200,
      JSON.parse('{"success":true,"errors":[],"__proto__":{"result":{"status":"active"}}}'),
      UNEXPECTED,
    ],
    [
      'active, yet with an error',
      200,
      { ...state({ status: 'active' }), errors: [{ code: 1, message: '' }] },
      UNEXPECTED,
    ],
    ['active, yet with status 401', 401, state({ status: 'active' }), REFUSED],
    ['active, yet with status 500', 500, state({ status: 'active' }), UNEXPECTED],
    ['active, yet with status 201', 201, state({ status: 'active' }), UNEXPECTED],
    ['success false with 200 and no code', 200, { success: false, errors: [], messages: [], result: null }, UNEXPECTED],
    ['null', 200, null, UNEXPECTED],
    ['a list', 200, [], UNEXPECTED],
    ['V7 malformed', 400, chain(6111), MALFORMED],
    ['6003 without a chain', 400, errors([6003, 'Invalid request headers']), UNEXPECTED],
    ['V8', 400, errors([1001, 'Missing "Authorization" header']), UNEXPECTED],
    ['V9', 400, { success: false, errors: [{ code: 9106, message: 'Missing X-Auth-Key' }] }, UNEXPECTED],
    ['9107', 400, errors([9107, 'Missing X-Auth-Key header']), UNEXPECTED],
    ['7003 and 7000', 404, errors([7003, 'Could not route'], [7000, 'No route for that URI']), UNEXPECTED],
    ['9109 invalid', 403, invalidToken, INVALID],
    ['9109 invalid, in another case', 403, errors([9109, 'INVALID ACCESS TOKEN']), INVALID],
    ['9109 unauthorized', 403, unauthorized, { outcome: 'valid', code: 'limited_permissions' }],
    ['9109 location', 403, location, { outcome: 'valid', code: 'ip_filtered' }],
    ['9109 user-level', 403, userLevel, { outcome: 'valid', code: 'state_not_shown' }],
    ['9109 max auth failures', 403, maxFailures, LOCKED],
    ['9109 max auth failures with 429', 429, maxFailures, LOCKED],
    ['9109 of an unknown text that says no', 403, errors([9109, 'This token is unknown']), INVALID],
    ['9109 of an unknown text that says no, not 403', 400, errors([9109, 'This token is unknown']), UNEXPECTED],
    ['9109 of an unknown text', 403, errors([9109, 'Something else']), REFUSED],
    ['10502 with 403', 403, lockOut, LOCKED],
    ['10502 with 429', 429, lockOut, LOCKED],
    ['10502 with 500', 500, lockOut, LOCKED],
    ['10502 without success', 403, { errors: [{ code: 10502 }] }, LOCKED],
    ['971', 429, errors([971, 'Please wait and consider throttling your request speed']), LIMITED],
    ['10429', 429, { success: false, errors: [{ code: 10429, message: 'Rate limited.' }] }, LIMITED],
    ['10100', 429, errors([10100, 'More than 1200 requests per 300 seconds reached.']), LIMITED],
    ['971 with 200', 200, errors([971, 'Please wait']), LIMITED],
    ['any 429', 429, {}, LIMITED],
    ['429 that says active', 429, state({ status: 'active' }), LIMITED],
    ['429 that says 1000', 429, errors([1000, 'Invalid API Token']), LIMITED],
    ['an unknown code', 403, errors([424242, 'Invalid']), REFUSED],
    ['1000 with 500', 500, errors([1000, 'Invalid API Token']), UNEXPECTED],
    // Precedence
    ['1000 beside a lockout', 401, errors([1000, 'Invalid API Token'], [10502, 'Too many']), LOCKED],
    [
      '9109 invalid beside 9109 location',
      403,
      errors([9109, 'Invalid access token'], [9109, 'Cannot use the access token from location: 1.2.3.4']),
      { outcome: 'valid', code: 'ip_filtered' },
    ],
    [
      '10000 beside 9109 invalid',
      403,
      errors([10000, 'Authentication error'], [9109, 'Invalid access token']),
      INVALID,
    ],
    ['a rate limit inside an error chain', 400, chain(6111, 971), LIMITED],
    ['code as text', 401, errors(['9109', 'Invalid access token']), INVALID],
    ['code as other text', 401, errors(['x9109', 'Invalid access token']), REFUSED],
    ['errors that are no list', 401, { success: false, errors: { code: 1000 } }, REFUSED],
    ['errors of null', 401, { success: false, errors: [null, 1, 'a'] }, REFUSED],
  ])('%s', async (_, status, body, expected) => {
    expect(await scripted({ [VERIFY]: [status, body] }, S.unknownUserToken)).toEqual(expected)
  })
})

describe('after code 1000: GET /accounts', () => {
  test.each<[string, readonly [number, unknown], ShortResult, string[]]>([
    ['1000', [401, errors([1000, 'Invalid API Token'])], INVALID, [VERIFY, ACCOUNTS]],
    ['9109 invalid', [403, invalidToken], INVALID, [VERIFY, ACCOUNTS]],
    ['legacy refusal', [400, legacy], { outcome: 'valid', code: 'state_not_shown' }, [VERIFY, ACCOUNTS]],
    ['another 1001', [400, errors([1001, 'Missing "Authorization" header'])], UNEXPECTED, [VERIFY, ACCOUNTS]],
    ['9109 location', [403, location], { outcome: 'valid', code: 'ip_filtered' }, [VERIFY, ACCOUNTS]],
    ['9109 unauthorized', [403, unauthorized], { outcome: 'valid', code: 'limited_permissions' }, [VERIFY, ACCOUNTS]],
    ['code 0 actor', [403, actor], { outcome: 'valid', code: 'limited_permissions' }, [VERIFY, ACCOUNTS]],
    ['code 0 of another text', [403, errors([0, 'Oops'])], REFUSED, [VERIFY, ACCOUNTS]],
    ['lockout', [403, lockOut], LOCKED, [VERIFY, ACCOUNTS]],
    ['an account id that is none', [200, state([{ id: '../../user' }] as object)], UNEXPECTED, [VERIFY, ACCOUNTS]],
    ['a result that is no list', [200, state({})], UNEXPECTED, [VERIFY, ACCOUNTS]],
    ['9106', [400, errors([9106, 'Authentication failed'])], UNEXPECTED, [VERIFY, ACCOUNTS]],
  ])('%s', async (_, accounts, expected, paths) => {
    const harness = await startHarness()
    const result = await scripted({ [VERIFY]: refused1000, [ACCOUNTS]: accounts }, S.unknownOldToken, harness)
    expect(result).toEqual(expected)
    expect(pathsOf(harness)).toEqual(paths)
  })
})

describe('after an empty list or 10000: GET /zones', () => {
  test.each<[string, readonly [number, unknown], readonly [number, unknown], ShortResult]>([
    ['200', [200, state([])], [200, state([])], { outcome: 'valid', code: 'valid' }],
    ['200 after 10000', [403, e10000], [200, state([])], { outcome: 'valid', code: 'valid' }],
    ['200 after 10001', [403, e10001], [200, state([])], { outcome: 'valid', code: 'valid' }],
    ['10000 after 10000', [403, e10000], [403, e10000], REFUSED],
    ['code 0 actor', [200, state([])], [403, actor], { outcome: 'valid', code: 'limited_permissions' }],
    ['9109 invalid', [403, e10000], [403, invalidToken], INVALID],
    ['a result that is no list', [200, state([])], [200, state(null)], UNEXPECTED],
  ])('%s', async (_, accounts, zones, expected) => {
    const harness = await startHarness()
    const script = { [VERIFY]: refused1000, [ACCOUNTS]: accounts, [ZONES]: zones }
    expect(await scripted(script, S.unknownOldToken, harness)).toEqual(expected)
    expect(pathsOf(harness)).toEqual([VERIFY, ACCOUNTS, ZONES])
  })
})

describe('GET /accounts/{id}/tokens/verify', () => {
  test.each<[string, readonly [number, unknown], ShortResult]>([
    ['active', [200, state({ status: 'active' })], { outcome: 'valid', code: 'valid' }],
    [
      'expired',
      [200, state({ status: 'active', expires_on: '2026-01-01T00:00:00Z' })],
      { outcome: 'invalid', code: 'expired_on' },
    ],
    ['disabled', [200, state({ status: 'disabled' })], { outcome: 'invalid', code: 'disabled' }],
    ['1000', refused1000, INVALID],
    ['9109 invalid', [403, invalidToken], INVALID],
    ['9109 location', [403, location], { outcome: 'valid', code: 'ip_filtered' }],
    ['429', [429, {}], LIMITED],
    ['500', [500, {}], UNEXPECTED],
  ])('%s', async (_, verify, expected) => {
    const harness = await startHarness()
    const result = await scripted({ [ACCOUNT_VERIFY]: verify }, S.oldAccountToken, harness)
    expect(result).toEqual(expected)
    expect(pathsOf(harness)).toEqual([VERIFY, ACCOUNTS, ACCOUNT_VERIFY])
  })

  test("503 — a lasting 10000 at the account's endpoint proves nothing", async () => {
    const harness = await startHarness()
    expect(await scripted({ [ACCOUNT_VERIFY]: [403, e10000] }, S.accountToken, harness)).toEqual(REFUSED)
    expect(pathsOf(harness)).toEqual([ACCOUNTS, ACCOUNT_VERIFY, ACCOUNT_VERIFY])
  })
})

describe('GET /user, for a Global API Key', () => {
  test.each<[string, number, unknown, ShortResult]>([
    [
      'known',
      200,
      state({ id: '1', email: 'OTHER@example.com', suspended: false }),
      { outcome: 'valid', code: 'valid' },
    ],
    ['known, no word on suspension', 200, state({ id: '1' }), { outcome: 'valid', code: 'valid' }],
    ['suspended', 200, state({ id: '1', suspended: true }), { outcome: 'invalid', code: 'suspended' }],
    ['suspended is no boolean', 200, state({ id: '1', suspended: 'true' }), UNEXPECTED],
    ['no id', 200, state({}), UNEXPECTED],
    ['9103', 403, errors([9103, 'Unknown X-Auth-Key or X-Auth-Email']), { outcome: 'invalid', code: 'wrong_pair' }],
    ['6103', 400, chain(6103), MALFORMED],
    ['6102', 400, chain(6102), { outcome: 'invalid', code: 'malformed_email' }],
    ['6102 and 6103', 400, chain(6102, 6103), { outcome: 'invalid', code: 'malformed_pair' }],
    ['1000', 401, errors([1000, 'Invalid API Token']), REFUSED],
    ['9106', 400, errors([9106, 'Missing']), UNEXPECTED],
    ['lockout', 403, lockOut, LOCKED],
    ['429', 429, errors([971, 'Please wait']), LIMITED],
  ])('%s', async (_, status, body, expected) => {
    const harness = await startHarness()
    expect(await scripted({ [USER]: [status, body] }, S.oldGlobalKey, harness, S.email)).toEqual(expected)
    expect(pathsOf(harness)).toEqual([USER])
  })

  test('503 — a lasting 10000 at another endpoint than verify proves nothing', async () => {
    const harness = await startHarness()
    expect(await scripted({ [USER]: [403, e10000] }, S.oldGlobalKey, harness, S.email)).toEqual(REFUSED)
    expect(pathsOf(harness)).toEqual([USER, USER])
  })
})

describe('the label of a rejected value', () => {
  test.each([
    ['40 characters', 'A'.repeat(40), 'api_token', 'API token'],
    ['the id of a zone', 'a'.repeat(32), 'api_token', 'API token'],
    ['an Origin CA key', `v1.0-${'a'.repeat(40)}`, 'api_token', 'API token'],
    ['the prefix of user tokens', `cfut_${'A'.repeat(48)}`, 'user_token', 'API token'],
    ['the prefix of account tokens', `cfat_${'A'.repeat(48)}`, 'account_token', 'account API token'],
  ])('%s', async (_, apiKey, credential, label) => {
    const { simulator, check } = await startHarness()
    const refusal = (status: number, body: object) => ({ status, headers: {}, body: JSON.stringify(body) })
    simulator.control.answer = ({ path }) =>
      path === VERIFY ? refusal(401, refused1000[1]) : refusal(403, invalidToken)
    const { outcome, message, details } = await check(apiKey)
    expect(outcome).toBe('invalid')
    expect(details.credential).toBe(credential)
    expect(message).toMatch(new RegExp(`this ${label} `))
  })
})

describe('10000 and 10001 on verify', () => {
  test.each([['transient_10000'], ['transient_10001']] as const)('valid — a temporary %s', async (fault) => {
    const { outcomeOf, simulator } = await startHarness()
    simulator.control.nextFaults = [fault]
    expect(await outcomeOf(S.userToken)).toEqual({ outcome: 'valid', code: 'valid' })
    expect(simulator.received).toHaveLength(2)
  })

  test('503 — a genuine token is never called invalid during a lasting 10000, and the next check asks again', async () => {
    const harness = await startHarness()
    const refused: Script[string] = [403, e10000]
    expect(await scripted({ [VERIFY]: refused, [ACCOUNTS]: refused }, S.userToken, harness)).toEqual(REFUSED)
    expect(pathsOf(harness)).toEqual([VERIFY, VERIFY, ACCOUNTS])
    harness.simulator.control.answer = undefined
    expect(await harness.outcomeOf(S.userToken)).toEqual({ outcome: 'valid', code: 'valid' })
  })

  test.each([
    ['valid — the token lists accounts', [200, state([])], { outcome: 'valid', code: 'valid' }],
    [
      'valid — it is limited',
      [403, errors([9109, 'Unauthorized to access requested resource'])],
      { outcome: 'valid', code: 'limited_permissions' },
    ],
    [
      'invalid — it is unknown',
      [403, errors([9109, 'Invalid access token'])],
      { outcome: 'invalid', code: 'not_recognised' },
    ],
    ['502 — the second read fails', [500, {}], UNEXPECTED],
  ] as const)('another read decides during a lasting 10000: %s', async (_, answer, expected) => {
    expect(
      await scripted({ [VERIFY]: [401, errors([10000, 'Authentication error'])], [ACCOUNTS]: answer }, S.userToken),
    ).toEqual(expected)
  })

  test('502 — 10000 seen once, because a bad gateway used up the retry', async () => {
    const { outcomeOf, simulator } = await startHarness()
    simulator.control.nextFaults = ['html_502', 'transient_10000']
    expect(await outcomeOf(S.userToken)).toEqual(UNEXPECTED)
    expect(simulator.received).toHaveLength(2)
  })
})

async function scripted(script: Script, apiKey: string, given?: Harness, email?: string): Promise<ShortResult> {
  const { simulator, outcomeOf } = given ?? (await startHarness())
  simulator.control.answer = ({ path }) => {
    const answer = script[path]
    return answer && json(...answer)
  }
  return outcomeOf(apiKey, email === undefined ? {} : { email })
}

function pathsOf({ simulator }: Harness): string[] {
  return simulator.received.map(({ path }) => path)
}
