import { describe, expect, test } from 'vitest'
import { accountId, samples as S } from '../../../simulators/cloudflare/state.ts'
import { resultOf, startHarness, verdictOf } from '../engine/harness.ts'

describe('verdicts on credentials, and the calls that they take', () => {
  test.each([
    ['user token', S.userToken, true, 'valid', ['/user/tokens/verify']],
    ['user token, old format', S.oldUserToken, true, 'valid', ['/user/tokens/verify']],
    ['user token with an IP filter', S.userFiltered, true, 'valid', ['/user/tokens/verify']],
    ['user token about to expire', S.expiring, true, 'valid', ['/user/tokens/verify']],
    ['expired', S.expired, false, 'expired_on', ['/user/tokens/verify']],
    ['active but past its window', S.outOfWindow, false, 'expired_on', ['/user/tokens/verify']],
    ['not yet valid', S.notYetValid, false, 'not_yet_valid', ['/user/tokens/verify']],
    ['disabled', S.disabled, false, 'disabled', ['/user/tokens/verify']],
    ['an unlisted status', S.revoked, false, 'not_active', ['/user/tokens/verify']],
    ['unknown, marked as a user token', S.unknownUserToken, false, 'not_recognised', ['/user/tokens/verify']],
    ['account token', S.accountToken, true, 'valid', ['/accounts', '/accounts/{id}/tokens/verify']],
    [
      'account token, old format',
      S.oldAccountToken,
      true,
      'valid',
      ['/user/tokens/verify', '/accounts', '/accounts/{id}/tokens/verify'],
    ],
    ['account token, disabled', S.accountDisabled, false, 'not_recognised', ['/accounts']],
    ['account token, filtered', S.accountFiltered, true, 'ip_filtered', ['/accounts']],
    ['account token, may not list accounts', S.accountLimited, true, 'limited_permissions', ['/accounts']],
    ['account token that sees zones only', S.accountZonesOnly, true, 'valid', ['/accounts', '/zones']],
    ['unknown, marked as an account token', S.unknownAccountToken, false, 'not_recognised', ['/accounts']],
    ['unknown, old format', S.unknownOldToken, false, 'not_recognised', ['/user/tokens/verify', '/accounts']],
    ['a global key as a token', S.oldGlobalKey, false, 'malformed', ['/user/tokens/verify']],
  ])('200 — %s', async (_, apiKey, isValid, code, paths) => {
    const { check, simulator } = await startHarness()
    const verdict = await check(apiKey)
    expect([verdict.outcome, verdict.details.code]).toEqual([isValid ? 'valid' : 'invalid', code])
    expect(simulator.received.map(({ path }) => shorten(path))).toEqual(paths)
  })
})

describe('with the account ID', () => {
  const own = '/accounts/{id}/tokens/verify'
  test.each([
    ['account token', S.accountToken, accountId, true, 'valid', [own]],
    ['account token, old format', S.oldAccountToken, accountId, true, 'valid', [own]],
    ['account token, disabled: its state is named', S.accountDisabled, accountId, false, 'disabled', [own]],
    ['account token that may not list accounts', S.accountLimited, accountId, true, 'valid', [own]],
    ['account token of another account', S.accountToken, 'f'.repeat(32), true, 'valid', [own, '/accounts', own]],
    ['user token', S.userToken, accountId, true, 'valid', ['/user/tokens/verify']],
    ['user token, old format', S.oldUserToken, accountId, true, 'valid', [own, '/user/tokens/verify']],
    [
      'unknown, old format',
      S.unknownOldToken,
      accountId,
      false,
      'not_recognised',
      [own, '/user/tokens/verify', '/accounts'],
    ],
    ['unknown, an account token', S.unknownAccountToken, accountId, false, 'not_recognised', [own, '/accounts']],
  ])('200 — %s', async (_, apiKey, id, isValid, code, paths) => {
    const { keyChecks, simulator } = await startHarness()
    const parts = { accountId: id }
    const verdict = await verdictOf(keyChecks.check({ keyType: 'api_token', apiKey, parts }))
    expect([verdict.outcome, verdict.details.code]).toEqual([isValid ? 'valid' : 'invalid', code])
    expect(simulator.received.map(({ path }) => shorten(path))).toEqual(paths)
  })

  test('400 — a value that is not an account ID never becomes part of a path', async () => {
    const { keyChecks, simulator } = await startHarness()
    const parts = { accountId: '../zones' }
    const check = keyChecks.check({ keyType: 'api_token', apiKey: S.userToken, parts })
    expect(await resultOf(check)).toEqual({ error: 'input_invalid' })
    expect(simulator.received).toEqual([])
  })
})

function shorten(path: string): string {
  return path.replace(/\?.*$/, '').replace(/[0-9a-f]{32}/, '{id}')
}
