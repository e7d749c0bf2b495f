import { describe, expect, onTestFinished, test } from 'vitest'

import { faultOf, faults, faultToken, isFaultName } from '../../simulators/cloudflare/faults.ts'
import type { CloudflareSimulator, SimulatorOptions } from '../../simulators/cloudflare/server.ts'
import { startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { accountId, samples as S } from '../../simulators/cloudflare/state.ts'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const key = (value: string, email: string) => ({ 'x-auth-key': value, 'x-auth-email': email })

describe('the gate of the headers comes first', () => {
  test.each([
    ['nothing', {}, 400, 9106, []],
    ['a token that is too short', bearer('x'), 400, 6003, [6111]],
    ['an old global key as a token', bearer(S.oldGlobalKey), 400, 6003, [6111]],
    ['another scheme', { authorization: `Basic ${S.userToken}` }, 400, 6003, [6111]],
    ['both schemes', { ...bearer(S.userToken), ...key(S.oldGlobalKey, S.email) }, 400, 6003, [6111]],
    ['an e-mail without a key', { 'x-auth-email': S.email }, 400, 9107, []],
    ['a token as a key', key(S.userToken, S.email), 400, 6003, [6103]],
    ['a name as an e-mail', key(S.oldGlobalKey, 'user'), 400, 6003, [6102]],
    ['both malformed', key('asdf', 'user'), 400, 6003, [6102, 6103]],
  ])('%s', async (_, headers, status, code, chain) => {
    const answer = await ask(await start(), '/user', headers)
    expect({ status: answer.status, code: answer.errors[0]?.code }).toEqual({ status, code })
    expect((answer.errors[0]?.error_chain ?? []).map((link) => link.code)).toEqual(chain)
  })
})

describe('routes', () => {
  test.each([
    ['/user/tokens/verify', bearer(S.userToken), 200, undefined, undefined],
    ['/user/tokens/verify', bearer(S.userFiltered), 200, undefined, undefined],
    ['/user/tokens/verify', bearer(S.accountToken), 401, 1000, 'Invalid API Token'],
    ['/user/tokens/verify', bearer(S.unknownOldToken), 401, 1000, 'Invalid API Token'],
    [`/accounts/${accountId}/tokens/verify`, bearer(S.accountToken), 200, undefined, undefined],
    [`/accounts/${'0'.repeat(32)}/tokens/verify`, bearer(S.accountToken), 401, 1000, 'Invalid API Token'],
    ['/user', bearer(S.userToken), 200, undefined, undefined],
    ['/user', bearer(S.accountToken), 403, 9109, 'Valid user-level authentication not found'],
    ['/user', key(S.oldGlobalKey, S.email), 200, undefined, undefined],
    ['/user', key(S.oldGlobalKey, S.otherEmail), 403, 9103, 'Unknown X-Auth-Key or X-Auth-Email'],
    ['/accounts', bearer(S.userToken), 200, undefined, undefined],
    ['/accounts', bearer(S.unknownUserToken), 403, 9109, 'Invalid access token'],
    ['/accounts', bearer(S.accountLimited), 403, 9109, 'Unauthorized to access requested resource'],
    ['/accounts', bearer(S.userFiltered), 403, 9109, 'Cannot use the access token from location: 127.0.0.1'],
    ['/zones?per_page=5', bearer(S.accountToken), 200, undefined, undefined],
    ['/zones', bearer(S.accountLimited), 403, 0, expect.stringMatching(/^Actor '.*' requires permission/)],
    ['/elsewhere', bearer(S.userToken), 404, 7003, expect.stringContaining('Could not route to')],
  ])('%s', async (path, headers, status, code, message) => {
    const answer = await ask(await start(), path, headers)
    const [error] = answer.errors
    expect({ status: answer.status, code: error?.code, message: error?.message }).toEqual({ status, code, message })
  })

  test('every answer carries what the real service sends with it', async () => {
    const { headers } = await ask(await start(), '/user', {})
    expect(headers.get('cf-ray')).toMatch(/^[0-9a-f]{16}-[A-Z]{3}$/)
    for (const name of ['server', 'content-type', 'ratelimit', 'ratelimit-policy', 'set-cookie'])
      expect(headers.has(name), name).toBe(true)
  })

  test('the refusal of account tokens at /accounts in December 2024 is a switch', async () => {
    const simulator = await start()
    simulator.control.legacyAccountsRefusal = true
    expect((await ask(simulator, '/accounts', bearer(S.accountToken))).errors[0]?.code).toBe(1001)
    expect((await ask(simulator, '/accounts', bearer(S.userToken))).status).toBe(200)
  })
})

describe('the lock-out', () => {
  test.each([403, 429] as const)(
    'begins after the failures that were set, with status %i, and is reset',
    async (status) => {
      const simulator = await start({ lockOutAfter: 3 })
      simulator.control.lockOutStatus = status
      for (let failure = 0; failure < 3; failure++)
        expect((await ask(simulator, '/accounts', bearer(S.unknownUserToken))).errors[0]?.code).toBe(9109)
      const locked = await ask(simulator, '/user/tokens/verify', bearer(S.userToken))
      expect({ status: locked.status, code: locked.errors[0]?.code }).toEqual({ status, code: 10502 })
      await fetch(new URL('/reset', simulator.url), { method: 'POST' })
      expect((await ask(simulator, '/user/tokens/verify', bearer(S.userToken))).status).toBe(200)
    },
  )
})

test('every fault is chosen by a credential of its own, which passes the gate', () => {
  for (const name of Object.keys(faults).filter(isFaultName)) {
    expect(faultToken(name)).toMatch(/^[a-z0-9_]{40}$/)
    expect(faultOf(faultToken(name))).toBe(name)
  }
  for (const other of [S.userToken, 'simulate_nothing________________________', 'simulate_'])
    expect(faultOf(other)).toBeUndefined()
})

test('the log holds what was sent', async () => {
  const simulator = await start()
  await ask(simulator, '/zones?per_page=5', bearer(S.userToken))
  expect(simulator.received).toMatchObject([
    { method: 'GET', path: '/zones?per_page=5', headers: { authorization: `Bearer ${S.userToken}` } },
  ])
})

interface Asked {
  readonly status: number
  readonly headers: Headers
  readonly errors: readonly { code: number; message: string; error_chain?: { code: number }[] }[]
}

async function ask(simulator: CloudflareSimulator, path: string, headers: Record<string, string>): Promise<Asked> {
  const response = await fetch(`${simulator.url}${path}`, { headers })
  const body: { errors: Asked['errors'] } = JSON.parse(await response.text())
  return { status: response.status, headers: response.headers, errors: body.errors }
}

async function start(options: SimulatorOptions = {}): Promise<CloudflareSimulator> {
  const simulator = await startCloudflareSimulator(options)
  onTestFinished(() => simulator.close())
  return simulator
}
