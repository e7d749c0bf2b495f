import type { IncomingHttpHeaders } from 'node:http'

import type { SimulatedState, SimulatedToken, SimulatedUser } from './state.ts'
import { accountId } from './state.ts'

/** An answer before any fault is applied. */
export interface SimulatedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface SimulatedCall {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly clientAddress: string
}

export interface Switches {
  /** How GET /accounts answered account tokens in December 2024. */
  legacyAccountsRefusal: boolean
}

interface RoutedAnswer extends SimulatedAnswer {
  /** Counts towards the lockout. */
  readonly isFailedAuthentication: boolean
}

/** The answer of the real API, as documented or logged: header checks first, then the route. */
export function route(call: SimulatedCall, state: SimulatedState, switches: Switches): RoutedAnswer {
  const stopped = gate(call.headers)
  if (stopped) return stopped
  const who = identify(call.headers, state)
  const path = call.path.replace(/\?.*$/, '')
  if (path === '/user/tokens/verify') return verify(who.token, undefined)
  if (path === '/user') return readUser(call, who, state)
  if (path === '/accounts') return listAccounts(call, who, state, switches)
  if (path === '/zones') return listZones(call, who)
  const account = /^\/accounts\/([0-9a-f]{32})\/tokens\/verify$/.exec(path)?.[1]
  if (account) return verify(who.token, account)
  return failed(404, [
    { code: 7003, message: `Could not route to ${path}, perhaps your object identifier is invalid?` },
    { code: 7000, message: 'No route for that URI' },
  ])
}

interface SimulatedError {
  readonly code: number
  readonly message: string
  readonly error_chain?: readonly SimulatedError[]
}

export function failed(
  status: number,
  errors: readonly SimulatedError[],
  isFailedAuthentication = false,
): RoutedAnswer {
  return { ...json(status, { success: false, errors, messages: [], result: null }), isFailedAuthentication }
}

export function json(status: number, body: unknown): SimulatedAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function succeeded(result: unknown, messages: unknown[] = [], more: object = {}): RoutedAnswer {
  return { ...json(200, { result, success: true, errors: [], messages, ...more }), isFailedAuthentication: false }
}

/** Header checks come before the credential. The accepted length of a token is a guess: 40 to 80. */
function gate(headers: IncomingHttpHeaders): RoutedAnswer | undefined {
  const { authorization } = headers
  const key = headers['x-auth-key']
  const email = headers['x-auth-email']
  if (authorization === undefined && key === undefined && email === undefined)
    return failed(400, [{ code: 9106, message: 'Missing X-Auth-Key, X-Auth-Email or Authorization headers' }])
  if (authorization !== undefined) {
    const isFine = /^Bearer [A-Za-z0-9_-]{40,80}$/.test(authorization) && key === undefined && email === undefined
    return isFine ? undefined : malformed([{ code: 6111, message: 'Invalid format for Authorization header' }])
  }
  if (key === undefined) return failed(400, [{ code: 9107, message: 'Missing X-Auth-Key header' }])
  const chain: SimulatedError[] = []
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(String(email ?? '')))
    chain.push({ code: 6102, message: 'Invalid format for X-Auth-Email header' })
  if (!/^(?:[0-9a-f]{37,45}|cfk_[A-Za-z0-9]{48})$/.test(String(key)))
    chain.push({ code: 6103, message: 'Invalid format for X-Auth-Key header' })
  return chain.length === 0 ? undefined : malformed(chain)
}

function malformed(chain: readonly SimulatedError[]): RoutedAnswer {
  return failed(400, [{ code: 6003, message: 'Invalid request headers', error_chain: chain }])
}

interface Who {
  readonly token: SimulatedToken | undefined
  readonly user: SimulatedUser | undefined
}

function identify(headers: IncomingHttpHeaders, state: SimulatedState): Who {
  const value = headers.authorization?.slice('Bearer '.length)
  return {
    token: state.tokens.find((token) => token.value === value),
    user: state.users.find(
      ({ email, globalKey }) => email === headers['x-auth-email'] && globalKey === headers['x-auth-key'],
    ),
  }
}

/** The users' endpoint does not know account tokens, and an account's endpoint knows only its own. */
function verify(token: SimulatedToken | undefined, account: string | undefined): RoutedAnswer {
  if (!token || token.accountId !== account) return failed(401, [{ code: 1000, message: 'Invalid API Token' }], true)
  const { status, notBefore, expiresOn } = token
  const result = {
    id: '100bf38cc8393103870917dd535e0628',
    status,
    ...(notBefore !== undefined && { not_before: notBefore }),
    ...(expiresOn !== undefined && { expires_on: expiresOn }),
  }
  return succeeded(result, [{ code: 10000, message: 'This API Token is valid and active', type: null }])
}

function readUser(
  { headers, clientAddress }: SimulatedCall,
  { token, user }: Who,
  state: SimulatedState,
): RoutedAnswer {
  if (headers.authorization === undefined)
    return user
      ? succeeded(personOf(user))
      : failed(403, [{ code: 9103, message: 'Unknown X-Auth-Key or X-Auth-Email' }], true)
  const rejection = rejectToken(token, clientAddress)
  if (rejection) return rejection
  if (token?.accountId !== undefined) return denied('Valid user-level authentication not found')
  const owner = state.users[0]
  return token?.permissions.includes('user') && owner
    ? succeeded(personOf(owner))
    : denied('Unauthorized to access requested resource')
}

function personOf({ id, email, suspended }: SimulatedUser): object {
  return {
    id,
    email,
    first_name: 'John',
    last_name: 'Appleseed',
    telephone: '+1 123-123-1234',
    country: 'US',
    zipcode: '12345',
    two_factor_authentication_enabled: false,
    two_factor_authentication_locked: false,
    has_pro_zones: false,
    has_business_zones: false,
    has_enterprise_zones: false,
    suspended,
    betas: [],
    organizations: [],
  }
}

function listAccounts(call: SimulatedCall, who: Who, state: SimulatedState, switches: Switches): RoutedAnswer {
  const rejection = rejectInvalidCredential(call, who)
  if (rejection) return rejection
  const { token } = who
  if (token?.accountId !== undefined && switches.legacyAccountsRefusal)
    return failed(400, [{ code: 1001, message: 'List accounts endpoint does not support account owned tokens.' }])
  if (token && !token.permissions.includes('accounts')) return denied('Unauthorized to access requested resource')
  return succeeded(token?.seesNoAccount ? [] : state.accounts)
}

function listZones(call: SimulatedCall, who: Who): RoutedAnswer {
  const rejection = rejectInvalidCredential(call, who)
  if (rejection) return rejection
  if (who.token && !who.token.permissions.includes('zones')) {
    const message =
      "Actor 'com.cloudflare.api.token.*******' requires permission 'com.cloudflare.api.account.zone.list' to list zones"
    return failed(403, [{ code: 0, message }])
  }
  const { zonePermissions: permissions } = who.token ?? {}
  const zone = { id: '9a7806061c88ada191ed06f989cc3dac', name: 'example.com', account: { id: accountId }, permissions }
  const name = new URL(call.path, 'https://x').searchParams.get('name')
  const zones = name === null || name === zone.name ? [zone] : []
  const count = zones.length
  return succeeded(zones, [], { result_info: { page: 1, per_page: 20, total_pages: 1, count, total_count: count } })
}

function rejectInvalidCredential(
  { headers, clientAddress }: SimulatedCall,
  { token, user }: Who,
): RoutedAnswer | undefined {
  if (headers.authorization !== undefined) return rejectToken(token, clientAddress)
  return user ? undefined : failed(403, [{ code: 9103, message: 'Unknown X-Auth-Key or X-Auth-Email' }], true)
}

function rejectToken(token: SimulatedToken | undefined, clientAddress: string): RoutedAnswer | undefined {
  if (token?.status !== 'active') return denied('Invalid access token', true)
  if (token.ipAllow && !token.ipAllow.includes(clientAddress))
    return denied(`Cannot use the access token from location: ${clientAddress}`)
  return undefined
}

function denied(message: string, isFailedAuthentication = false): RoutedAnswer {
  return failed(403, [{ code: 9109, message }], isFailedAuthentication)
}
