import type { TokenSource } from '@muster/client'
import { endCookieSession, openCookieSession, renewCookieSession, sharedName } from './cookie-session.ts'
import { type IssuerReturn, rememberedIssuer, takeIssuerReturn } from './issuer-storage.ts'
import { createIssuerWay, type IssuerWay } from './issuer-way.ts'
import {
  createStateStore,
  readSignInOptions,
  type SessionState,
  type SignInIssuer,
  type StateStore,
} from './session-state.ts'

/**
 * The session of this browser, with the built-in issuer or with another. The access token lives in this page's memory; the refresh token
 * in a cookie that no script can read or, of another issuer, in this page's memory as well.
 */
interface Session {
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

export function createSession(): Session {
  const otherPages = new BroadcastChannel(sharedName)
  const store = createStateStore()
  const way = createIssuerWay(store)

  otherPages.addEventListener('message', ({ data }) => {
    if (data === 'closed') {
      void way.held()?.session.end()
      store.close()
    }
    // Perhaps as another user: nothing of the former one may stay.
    if (data === 'opened') location.reload()
  })

  const renew = () => renewSession(store, way)

  async function find(returned: IssuerReturn | undefined): Promise<void> {
    way.drop()
    store.options = await readSignInOptions()
    const { builtIn, issuers } = store.options
    const remembered = issuers.find(({ issuer }) => issuer === rememberedIssuer.read())
    if (returned) {
      if (await way.complete(returned)) otherPages.postMessage('opened')
    } else if (remembered) await way.ask(remembered, { isResumed: true })
    else if (builtIn) await renew()
    else store.close()
  }

  const { read, subscribe, accessToken } = store
  return {
    source: { read: accessToken, renew },
    read,
    subscribe,
    async resume() {
      const returned = takeIssuerReturn()
      if (!isSecureContext) return store.become({ status: 'insecure' })
      store.become({ status: 'opening' })
      await find(returned).catch(() => store.become({ status: 'unreachable' }))
    },
    async open(refreshToken) {
      const token = await openCookieSession(refreshToken)
      way.drop()
      rememberedIssuer.forget()
      store.become({ status: 'open' }, token)
      otherPages.postMessage('opened')
    },
    signInAt: (issuer) => way.ask(issuer, { isResumed: false }),
    async proveAgain() {
      const held = way.held()
      if (held) await way.ask(held.issuer, { isResumed: true, isFresh: true })
    },
    async signOut() {
      await endSession(store, way)
      otherPages.postMessage('closed')
    },
    markEnded: () => markEnded(store),
  }
}

/** The next access token; nothing where the session has ended. */
async function renewSession(store: StateStore, way: IssuerWay): Promise<string | undefined> {
  const held = way.held()
  const token = await (held ? held.session.renew() : renewCookieSession())
  if (token === undefined) store.close({ hasEnded: store.read().status === 'open' })
  else store.become({ status: 'open', ...(held && { issuer: held.issuer }) }, token)
  return token
}

async function endSession(store: StateStore, way: IssuerWay): Promise<void> {
  if (store.options.builtIn) await endCookieSession()
  rememberedIssuer.forget()
  const held = way.held()
  store.close({ ...(held && { left: { title: held.issuer.title, endAddress: await held.session.end() } }) })
}

function markEnded(store: StateStore): void {
  if (store.read().status !== 'open') return
  rememberedIssuer.forget()
  store.close({ hasEnded: true })
}
