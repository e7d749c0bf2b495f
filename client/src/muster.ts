import { type Calls, callsTo } from './call.ts'
import { withEtags } from './etags.ts'
import { unwrap } from './problems.ts'
import { type RetryOptions, retryDefaults, withRetries } from './retries.ts'
import { isRead, type Send, type SendInit } from './send.ts'
import {
  type SessionTokens,
  storeSource,
  type TokenSource,
  type TokenStore,
  unlessEnded,
  withSource,
  withToken,
} from './session.ts'
import { eachUser, streamUsers, type User, type UsersOptions, type UsersQuery } from './users.ts'

/** At most one of `session`, `source` and `token`. Without them, calls have no token. */
export type MusterOptions = {
  /** Where the service is, such as `https://muster.example.com`. */
  readonly baseUrl: string
  /** In place of the global `fetch`. Pass on both parameters. */
  readonly fetch?: (request: Request, init?: SendInit) => Promise<Response>
  readonly retries?: Partial<RetryOptions>
} & (
  | {
      /** The tokens of the built-in issuer, which are refreshed when needed. */
      readonly session?: TokenStore
      readonly source?: never
      readonly token?: never
    }
  | {
      /** The access token of a session whose refresh token the client does not have, such as one in a cookie. */
      readonly source?: TokenSource
      readonly session?: never
      readonly token?: never
    }
  | {
      /** The token of another issuer, or a service key. Called before each request. */
      readonly token?: () => string | Promise<string>
      readonly session?: never
      readonly source?: never
    }
)

/** `GET`, `POST` and the other methods, typed by the operations of Muster, and the list of users. */
export type Muster = Calls & {
  /** Page by page. */
  users(query?: UsersQuery & { readonly limit?: number }, options?: UsersOptions): AsyncGenerator<User, void, void>
  /** As one stream. */
  streamUsers(query?: UsersQuery, options?: UsersOptions): AsyncGenerator<User, void, void>
}

export function createMuster(options: MusterOptions): Muster {
  const { baseUrl, fetch: send = (request, init) => fetch(request, init), retries = {} } = options
  const repeating = (mayRepeat: (request: Request) => boolean) =>
    withRetries(send, mayRepeat, { ...retryDefaults, ...retries })
  const withoutToken = withEtags(repeating(isRead))
  // The service answers a refresh token that is sent again the same way, so that a lost answer does not end the session.
  const exchange = refresh(
    callsTo(
      baseUrl,
      repeating(() => true),
    ),
  )
  const client = callsTo(baseUrl, withCaller(withoutToken, options, exchange))
  return {
    ...client,
    users: (query, more) => eachUser(client, query, more),
    streamUsers: (query, more) => streamUsers(client, query, more),
  }
}

type Exchange = (refreshToken: string) => Promise<SessionTokens | undefined>

function withCaller(send: Send, { session, source, token, baseUrl }: MusterOptions, exchange: Exchange): Send {
  if (session) return withSource(send, storeSource({ store: session, exchange, lockName: `muster session ${baseUrl}` }))
  if (source) return withSource(send, source)
  return token ? withToken(send, token) : send
}

function refresh(client: Calls): Exchange {
  return (refreshToken) => {
    const signal = AbortSignal.timeout(refreshTimeoutMs)
    return unlessEnded(unwrap(client.POST('/auth/refresh', { body: { refresh_token: refreshToken }, signal })))
  }
}

/** Less than the grace of the service, 60 s by default, in which a used refresh token is answered again. */
const refreshTimeoutMs = 30_000
