import { describe, expect, test } from 'vitest'

import { samples as S } from '../../../simulators/cloudflare/state.ts'
import { startHarness } from '../engine/harness.ts'

describe('verdicts of credentials, and the calls they take', () => {
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
    expect({ isValid: verdict.isValid, code: verdict.details.code }).toEqual({ isValid, code })
    expect(simulator.received.map(({ path }) => shorten(path))).toEqual(paths)
  })
})

function shorten(path: string): string {
  return path.replace(/\?.*$/, '').replace(/[0-9a-f]{32}/, '{id}')
}
