import type { components, ProblemCode } from './api.ts'
import { isProblem, problemOf } from './problems.ts'
import { type Send, unlessAborted } from './send.ts'

export type SessionTokens = Pick<components['schemas']['Tokens'], 'access_token' | 'refresh_token'>

/** Where the tokens of a session are. Pages that share a store share the session. */
export interface TokenStore {
  read(): SessionTokens | undefined | Promise<SessionTokens | undefined>
  /** Nothing when the session has ended. */
  write(tokens: SessionTokens | undefined): void | Promise<void>
}

export function memoryStore(tokens?: SessionTokens): TokenStore {
  return {
    read: () => tokens,
    write: (next) => {
      tokens = next
    },
  }
}

/** Calls with a token that someone else keeps current. */
export function withToken(send: Send, token: () => string | Promise<string>): Send {
  return async (request) => send(authorized(request, await token()))
}

export interface Session {
  readonly store: TokenStore
  /** The next tokens for a refresh token; nothing where the session has ended. */
  readonly exchange: (refreshToken: string) => Promise<SessionTokens | undefined>
  /** The same in each page that shares the store. */
  readonly lockName: string
}

/**
 * Calls with the access token of the session. A call whose token is refused refreshes it once and is sent again, with any method:
 * a request without a valid token is refused before its body is read.
 */
export function withSession(send: Send, session: Session): Send {
  let running: Promise<string | undefined> | undefined

  function nextToken(refused: string): Promise<string | undefined> {
    running ??= exclusive(session.lockName, () => renew(session, refused)).finally(() => {
      running = undefined
    })
    return running
  }

  return async (request) => {
    const tokens = await session.store.read()
    if (tokens === undefined) return send(request)
    const response = await send(authorized(request.clone(), tokens.access_token))
    if (response.status !== 401 || !renewable.has((await problemOf(response))?.code)) return response
    const next = await unlessAborted(request.signal, nextToken(tokens.access_token))
    return next === undefined ? response : send(authorized(request, next))
  }
}

/** An access token is invalid before its end when the key that signed it was withdrawn. */
const renewable: ReadonlySet<ProblemCode | undefined> = new Set(['token_expired', 'token_invalid'])

/** Another call, or another page, may have refreshed the session, ended it, or signed in, before this one or meanwhile. */
async function renew({ store, exchange }: Session, refused: string): Promise<string | undefined> {
  const tokens = await store.read()
  if (tokens?.access_token !== refused) return tokens?.access_token
  const next = await exchange(tokens.refresh_token)
  const present = await store.read()
  if (present?.refresh_token !== tokens.refresh_token) return present?.access_token
  await store.write(next)
  return next?.access_token
}

/** One refresh of a session at a time, in all pages of an origin, where the browser has Web Locks. */
function exclusive<T>(name: string, work: () => Promise<T>): Promise<T> {
  // Not every runtime has a navigator, nor every navigator locks.
  const { navigator } = globalThis as { readonly navigator?: { readonly locks?: Locks } }
  return navigator?.locks ? navigator.locks.request(name, work) : work()
}

interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>
}

function authorized(request: Request, token: string): Request {
  request.headers.set('Authorization', `Bearer ${token}`)
  return request
}

/** The end of a session is an outcome; any other failure of a refresh is thrown. */
export async function unlessEnded(tokens: Promise<SessionTokens>): Promise<SessionTokens | undefined> {
  try {
    return await tokens
  } catch (error) {
    if (isProblem(error, 'refresh_refused')) return undefined
    throw error
  }
}
