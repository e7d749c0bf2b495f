import type { TokenSource } from '@muster/client'
import { endCookieSession, openCookieSession, renewCookieSession, sharedName } from './cookie-session.ts'
import type { AskOptions, IssuerFault, IssuerSession } from './issuer-sign-in.ts'
import { type IssuerReturn, rememberedIssuer, takeIssuerReturn } from './issuer-storage.ts'
import { readSignInOptions, type SignInIssuer, type SignInOptions } from './sign-in-options.ts'

/**
 * The session of this browser, with the built-in issuer or with another. The access token lives in this page's memory; the refresh token
 * in a cookie that no script can read or, of another issuer, in this page's memory as well.
 */
export interface Session {
  readonly source: TokenSource
  read(): SessionState
  subscribe(listener: () => void): () => void
  /** Finds out whether the browser has a session. */
  resume(): Promise<void>
  /** After a sign-in with the built-in issuer: keeps the session in the cookie. */
  open(refreshToken: string): Promise<void>
  /** Sends the browser to another issuer. Returns where that was not possible; the state says why. */
  signInAt(issuer: SignInIssuer): Promise<void>
  /** Sends the browser to the issuer of the session for a new proof of who its user is. */
  proveAgain(): Promise<void>
  /** Ends it, in all pages of this browser. */
  signOut(): Promise<void>
  /** The service has refused the session. */
  markEnded(): void
}

export type SessionState =
  | { readonly status: 'opening' }
  /** `issuer`: that of the session, where it is not the built-in one. */
  | { readonly status: 'open'; readonly issuer?: SignInIssuer }
  | ClosedState
  /** The page came over plain http from another machine: browsers keep no such session there, and the service gives none. */
  | { readonly status: 'insecure' }
  /** It could not be found out. */
  | { readonly status: 'unreachable' }

export interface ClosedState {
  readonly status: 'closed'
  /** There was a session, and it ended without a sign-out here. */
  readonly hasEnded: boolean
  readonly options: SignInOptions
  /** Why a sign-in at another issuer failed. */
  readonly fault?: SignInFault
  /** The issuer that the user was signed in at, and still is. */
  readonly left?: { readonly title: string; readonly endAddress?: string | undefined }
}

export interface SignInFault {
  readonly reason: IssuerFault['reason'] | 'not_accepted'
  /** The name of the issuer, where it is known. */
  readonly title?: string
  /** The word of the issuer for it. */
  readonly code?: string | undefined
}

export function createSession(): Session {
  const listeners = new Set<() => void>()
  const otherPages = new BroadcastChannel(sharedName)
  let state: SessionState = { status: 'opening' }
  let options: SignInOptions = { builtIn: true, issuers: [] }
  let accessToken: string | undefined
  let atIssuer: { readonly issuer: SignInIssuer; readonly session: IssuerSession } | undefined

  function become(next: SessionState, token?: string): void {
    accessToken = token
    state = next
    if (next.status !== 'open') atIssuer = undefined
    for (const listener of listeners) listener()
  }

  function close(more: Partial<ClosedState> = {}): void {
    become({ status: 'closed', hasEnded: false, options, ...more })
  }

  function closeFor(issuer: SignInIssuer, fault: Omit<SignInFault, 'title'>): void {
    // An issuer that cannot be reached is asked again by the next reload.
    if (fault.reason !== 'unreachable') rememberedIssuer.forget()
    close({ fault: { ...fault, title: issuer.title } })
  }

  otherPages.addEventListener('message', ({ data }) => {
    if (data === 'closed') {
      void atIssuer?.session.end()
      close()
    }
    // Perhaps as another user: nothing of the former one may stay.
    if (data === 'opened') location.reload()
  })

  async function renew(): Promise<string | undefined> {
    const token = await (atIssuer ? atIssuer.session.renew() : renewCookieSession())
    if (token === undefined) close({ hasEnded: state.status === 'open' })
    else become({ status: 'open', ...(atIssuer && { issuer: atIssuer.issuer }) }, token)
    return token
  }

  async function ask(issuer: SignInIssuer, how: AskOptions): Promise<void> {
    // Loaded where another issuer is used: a sign-in with a password needs nothing of it.
    const { askIssuer, IssuerFault } = await import('./issuer-sign-in.ts')
    await askIssuer(issuer, how).catch((error: unknown) => {
      if (!(error instanceof IssuerFault)) throw error
      closeFor(issuer, error)
    })
  }

  async function complete({ parameters, asked }: IssuerReturn): Promise<void> {
    const issuer = options.issuers.find((one) => one.issuer === asked?.issuer)
    if (!asked || !issuer) return close({ fault: { reason: 'mismatch' } })
    // Signed out in another tab meanwhile.
    if (asked.isResumed && rememberedIssuer.read() !== issuer.issuer) return close()
    const { completeSignIn, IssuerFault } = await import('./issuer-sign-in.ts')
    try {
      const session = await completeSignIn(issuer, { parameters, asked })
      if (!(await isAccepted(session.accessToken))) {
        void session.end()
        return closeFor(issuer, { reason: 'not_accepted' })
      }
      rememberedIssuer.write(issuer.issuer)
      atIssuer = { issuer, session }
      become({ status: 'open', issuer }, session.accessToken)
      if (!asked.isResumed) otherPages.postMessage('opened')
    } catch (error) {
      if (!(error instanceof IssuerFault)) throw error
      closeFor(issuer, error)
    }
  }

  async function find(returned: IssuerReturn | undefined): Promise<void> {
    options = await readSignInOptions()
    if (returned) return complete(returned)
    const remembered = options.issuers.find(({ issuer }) => issuer === rememberedIssuer.read())
    if (remembered) return ask(remembered, { isResumed: true })
    if (options.builtIn) await renew()
    else close()
  }

  return {
    source: { read: () => accessToken, renew },
    read: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async resume() {
      const returned = takeIssuerReturn()
      if (!isSecureContext) return become({ status: 'insecure' })
      become({ status: 'opening' })
      await find(returned).catch(() => become({ status: 'unreachable' }))
    },
    async open(refreshToken) {
      const token = await openCookieSession(refreshToken)
      rememberedIssuer.forget()
      become({ status: 'open' }, token)
      otherPages.postMessage('opened')
    },
    signInAt: (issuer) => ask(issuer, { isResumed: false }),
    async proveAgain() {
      if (atIssuer) await ask(atIssuer.issuer, { isResumed: true, isFresh: true })
    },
    async signOut() {
      if (options.builtIn) await endCookieSession()
      rememberedIssuer.forget()
      const left = atIssuer && { title: atIssuer.issuer.title, endAddress: await atIssuer.session.end() }
      close({ ...(left && { left }) })
      otherPages.postMessage('closed')
    },
    markEnded() {
      if (state.status !== 'open') return
      rememberedIssuer.forget()
      close({ hasEnded: true })
    },
  }
}

/** A token for another audience, or one that is no JWT, would be refused at every screen: it is said once, at the sign-in. */
async function isAccepted(token: string): Promise<boolean> {
  const response = await fetch('/api/v1/user/data', { headers: { authorization: `Bearer ${token}` } })
  return response.status !== 401
}
