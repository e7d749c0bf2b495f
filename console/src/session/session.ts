import type { TokenSource } from '@muster/client'

/**
 * The session of this browser. The access token lives in this page's memory; the refresh token in a cookie that no script can read and
 * only `/console/session` takes.
 */
export interface Session {
  readonly source: TokenSource
  read(): SessionState
  subscribe(listener: () => void): () => void
  /** Finds out whether the browser has a session. */
  resume(): Promise<void>
  /** After a sign-in: keeps the session in the cookie. */
  open(refreshToken: string): Promise<void>
  /** Ends it, in all pages of this browser. */
  signOut(): Promise<void>
  /** The service has refused the session. */
  markEnded(): void
}

export type SessionState =
  | { readonly status: 'opening' }
  | { readonly status: 'open' }
  /** `hasEnded`: there was one, and it ended without a sign-out here. */
  | { readonly status: 'closed'; readonly hasEnded: boolean }
  /** The page came over plain http from another machine: browsers keep no such session there, and the service gives none. */
  | { readonly status: 'insecure' }
  /** It could not be found out. */
  | { readonly status: 'unreachable' }

const path = '/console/session'
const lockName = 'muster console session'

export function createSession(): Session {
  const listeners = new Set<() => void>()
  const otherPages = new BroadcastChannel(lockName)
  let state: SessionState = { status: 'opening' }
  let accessToken: string | undefined

  function become(next: SessionState, token?: string): void {
    accessToken = token
    state = next
    for (const listener of listeners) listener()
  }

  otherPages.addEventListener('message', ({ data }) => {
    if (data === 'closed') become({ status: 'closed', hasEnded: false })
    // Perhaps as another user: nothing of the former one may stay.
    if (data === 'opened') location.reload()
  })

  async function renew(): Promise<string | undefined> {
    const token = await exchange({ method: 'POST' })
    if (token === undefined) become({ status: 'closed', hasEnded: state.status === 'open' })
    else become({ status: 'open' }, token)
    return token
  }

  return {
    source: { read: () => accessToken, renew },
    read: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async resume() {
      if (!isSecureContext) return become({ status: 'insecure' })
      become({ status: 'opening' })
      await renew().catch(() => become({ status: 'unreachable' }))
    },
    async open(refreshToken) {
      const body = JSON.stringify({ refresh_token: refreshToken })
      const token = await exchange({ method: 'PUT', body, headers: { 'content-type': 'application/json' } })
      if (token === undefined) throw new Error('The session ended before it was opened.')
      become({ status: 'open' }, token)
      otherPages.postMessage('opened')
    },
    async signOut() {
      const response = await fetch(path, { method: 'DELETE' })
      if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
      become({ status: 'closed', hasEnded: false })
      otherPages.postMessage('closed')
    },
    markEnded() {
      if (state.status === 'open') become({ status: 'closed', hasEnded: true })
    },
  }
}

/** The next access token; nothing where there is no session. One exchange at a time in all pages, because each makes a new refresh token. */
async function exchange(request: RequestInit): Promise<string | undefined> {
  return await navigator.locks.request(lockName, async () => {
    const response = await fetch(path, request)
    if (response.status === 204 || response.status === 401) return undefined
    if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
    const tokens: { readonly access_token: string } = await response.json()
    return tokens.access_token
  })
}
