import type { EntryReader } from './entry-reader.ts'

/**
 * Parameters for signing in to the web console at an issuer. None is secret: the console is a public client (RFC 6749
 * §2.1).
 */
export interface ConsoleClient {
  readonly clientId: string
  /** Label of the sign-in button. */
  readonly title: string
  readonly scopes: readonly string[]
  /** Extra parameters of the authorization request, such as `audience` or `resource`. */
  readonly parameters: Readonly<Record<string, string>>
  /** Origins that the browser may call: the issuer, and its endpoints if they have other origins. */
  readonly origins: readonly string[]
}

/** Parameters that the console sets itself. Overriding one could disable a check. */
const ownParameters: readonly string[] = [
  ...['client_id', 'client_secret', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce'],
  ...['code_challenge', 'code_challenge_method', 'request', 'request_uri', 'max_age', 'acr_values'],
]

interface IssuerContext {
  readonly issuer: string | undefined
  /** Returns why a browser cannot call an address, or undefined. */
  readonly faultOf: (address: string) => string | undefined
}

/** Reads the member `console` of an entry. */
export function readConsoleClient(read: EntryReader, { issuer = '', faultOf }: IssuerContext): ConsoleClient {
  const clientId = read.text('clientId') ?? ''
  if (!read.has('clientId')) read.fault('clientId', 'is required.')
  const fault = issuer === '' ? undefined : faultOf(issuer)
  if (fault !== undefined) read.fault('clientId', `needs an issuer that a browser can open: its address ${fault}`)
  const title = read.text('title') ?? hostOf(issuer)
  const client = { clientId, title, scopes: readScopes(read), parameters: readParameters(read) }
  const others = readOrigins(read, faultOf)
  read.finish()
  const own = fault === undefined && URL.canParse(issuer) ? [new URL(issuer).origin] : []
  return { ...client, origins: [...new Set([...own, ...others])] }
}

/** OpenID Connect Core §3.1.2.1: without `openid` there is no ID token, and therefore no `nonce` to compare. */
function readScopes(read: EntryReader): readonly string[] {
  const scopes = read.texts('scopes') ?? ['openid']
  if (!scopes.includes('openid')) read.fault('scopes', 'must contain "openid".')
  // RFC 6749 §3.3.
  if (!scopes.every((scope) => /^[!#-[\]-~]+$/.test(scope))) read.fault('scopes', 'must be a list of single scopes.')
  return scopes
}

function readParameters(read: EntryReader): Readonly<Record<string, string>> {
  const parameters = Object.entries(read.values('parameters'))
  const isOwn = parameters.some(([name]) => ownParameters.includes(name))
  if (isOwn)
    read.fault('parameters', `must not contain parameters that the console sets itself: ${ownParameters.join(', ')}.`)
  if (parameters.some(([, value]) => typeof value !== 'string'))
    read.fault('parameters', 'must be an object of strings.')
  return Object.fromEntries(parameters.map(([name, value]) => [name, String(value)]))
}

/** Origins go into the page's Content-Security-Policy, so each must be exactly an origin and cannot add a directive. */
function readOrigins(read: EntryReader, faultOf: IssuerContext['faultOf']): readonly string[] {
  const origins = read.texts('origins') ?? []
  for (const origin of origins) {
    const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin
    const fault = isOrigin ? faultOf(origin) : 'must be origins such as "https://login.example.com", without a path.'
    if (fault !== undefined) read.fault('origins', fault)
  }
  return origins
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : ''
}
