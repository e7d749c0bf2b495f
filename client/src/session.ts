import type { ProblemCode, Schemas } from './api.ts'
import { isProblem, problemOf } from './problems.ts'
import { type Send, unlessAborted } from './send.ts'

export type SessionTokens = Pick<Schemas['Tokens'], 'access_token' | 'refresh_token'>

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
  return async (request, init) => send(authorized(request, await token()), init)
}

/** Where the access token of a session is, and how the session gets its next one. */
export interface TokenSource {
  /** The token for the next call; nothing where no one is signed in, and the call then has no token. */
  read(): string | undefined | Promise<string | undefined>
  /** The next token, after one was refused; nothing where the session has ended. Of the calls of a client one asks at a time. */
  renew(refused: string): Promise<string | undefined>
}

/**
 * Calls with the token of the source. A call whose token is refused asks for the next one and is sent again, once and with any method:
 * a request without a valid token is refused before its body is read.
 */
export function withSource(send: Send, source: TokenSource): Send {
  let running: Promise<string | undefined> | undefined

  function nextToken(refused: string): Promise<string | undefined> {
    running ??= renewUnlessCurrent(source, refused).finally(() => {
      running = undefined
    })
    return running
  }

  return async (request, init) => {
    const token = await source.read()
    if (token === undefined) return send(request, init)
    const response = await send(authorized(request.clone(), token), init)
    if (response.status !== 401 || !renewable.has((await problemOf(response))?.code)) return response
    const next = await unlessAborted(init, nextToken(token))
    return next === undefined ? response : send(authorized(request, next), init)
  }
}

/** An access token is invalid before its end when the key that signed it was withdrawn. */
const renewable: ReadonlySet<ProblemCode | undefined> = new Set(['token_expired', 'token_invalid'])

/** A call that was refused later than others finds the token that they have got. */
async function renewUnlessCurrent(source: TokenSource, refused: string): Promise<string | undefined> {
  const current = await source.read()
  return current === refused ? source.renew(refused) : current
}

export interface Session {
  readonly store: TokenStore
  /** The next tokens for a refresh token; nothing where the session has ended. */
  readonly exchange: (refreshToken: string) => Promise<SessionTokens | undefined>
  /** The same in each page that shares the store. */
  readonly lockName: string
}

/** The tokens of a store, which `exchange` refreshes. */
export function storeSource(session: Session): TokenSource {
  return {
    read: async () => (await session.store.read())?.access_token,
    renew: (refused) => exclusive(session.lockName, () => renewStored(session, refused)),
  }
}

/** Another page may have refreshed the session, ended it, or signed in, before this one or meanwhile. */
async function renewStored({ store, exchange }: Session, refused: string): Promise<string | undefined> {
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
