import type { EntryReader } from './entry-reader.ts'

/** What the web console needs to sign users in at an issuer. Nothing of it is secret: it is a public client (RFC 6749 §2.1). */
export interface ConsoleClient {
  readonly clientId: string
  /** On the button of the sign-in. */
  readonly title: string
  readonly scopes: readonly string[]
  /** Sent with the authorization request beside those of OAuth, such as `audience` or `resource`. */
  readonly parameters: Readonly<Record<string, string>>
  /** Origins that the browser may call: that of the issuer, and those of its endpoints where they are others. */
  readonly origins: readonly string[]
}

/** Parameters that the console sets itself. Another value of one of them would take a check away. */
const ownParameters: readonly string[] = [
  ...['client_id', 'client_secret', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce'],
  ...['code_challenge', 'code_challenge_method', 'request', 'request_uri', 'max_age', 'acr_values'],
]

interface IssuerPlace {
  readonly issuer: string | undefined
  /** What is wrong with an address that a browser would call. */
  readonly faultOf: (address: string) => string | undefined
}

/** The member `console` of an entry. */
export function readConsoleClient(read: EntryReader, { issuer = '', faultOf }: IssuerPlace): ConsoleClient {
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

/** OpenID Connect Core §3.1.2.1: without `openid` there is no ID token, and with it no `nonce` that could be compared. */
function readScopes(read: EntryReader): readonly string[] {
  const scopes = read.texts('scopes') ?? ['openid']
  if (!scopes.includes('openid')) read.fault('scopes', 'must contain "openid".')
  // RFC 6749 §3.3.
  if (!scopes.every((scope) => /^[!#-[\]-~]+$/.test(scope))) read.fault('scopes', 'must be a list with one scope each.')
  return scopes
}

function readParameters(read: EntryReader): Readonly<Record<string, string>> {
  const parameters = Object.entries(read.values('parameters'))
  const isOwn = parameters.some(([name]) => ownParameters.includes(name))
  if (isOwn) read.fault('parameters', `must not contain what the console sets itself: ${ownParameters.join(', ')}.`)
  if (parameters.some(([, value]) => typeof value !== 'string')) read.fault('parameters', 'must be an object of texts.')
  return Object.fromEntries(parameters.map(([name, value]) => [name, String(value)]))
}

/** They become part of the content security policy of the page: exactly what an origin looks like, and nothing that adds a directive. */
function readOrigins(read: EntryReader, faultOf: IssuerPlace['faultOf']): readonly string[] {
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
