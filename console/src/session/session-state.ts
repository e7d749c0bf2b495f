import type { Schemas } from '@muster/client'
import { createStore } from '../store.ts'

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

/** `not_accepted`: by this service; the others come from the sign-in at the issuer. */
export type IssuerFaultReason = 'unreachable' | 'denied' | 'mismatch' | 'refused'

export interface SignInFault {
  readonly reason: IssuerFaultReason | 'not_accepted'
  /** The name of the issuer, where it is known. */
  readonly title?: string
  /** The word of the issuer for it. */
  readonly code?: string | undefined
}

/** What is known of the session now, and its access token. */
export interface StateStore {
  options: SignInOptions
  read(): SessionState
  accessToken(): string | undefined
  subscribe(listener: () => void): () => void
  become(next: SessionState, token?: string): void
  close(more?: Partial<ClosedState>): void
}

export function createStateStore(): StateStore {
  const { read, subscribe, become } = createStore<SessionState>({ status: 'opening' })
  let accessToken: string | undefined
  const store: StateStore = {
    options: { builtIn: true, issuers: [] },
    read,
    subscribe,
    accessToken: () => accessToken,
    become(next, token) {
      accessToken = token
      become(next)
    },
    close: (more = {}) => store.become({ status: 'closed', hasEnded: false, options: store.options, ...more }),
  }
  return store
}

/** The ways to sign in that the service has. */
type SignInOptions = Schemas['SignInOptions']
export type SignInIssuer = Schemas['SignInIssuer']

/** Read before there is a client, which needs the session. */
export async function readSignInOptions(): Promise<SignInOptions> {
  const path = '/console/sign-in-options'
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
  return await response.json()
}
