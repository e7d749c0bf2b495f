import { createMuster } from '@muster/client'
import { useStore } from '../store.ts'
import { createSession } from './session.ts'
import type { SessionState, SignInIssuer } from './session-state.ts'

export const session = createSession()

/** The service that this page came from. */
export const muster = createMuster({ baseUrl: location.origin, source: session.source })

export function useSession(): SessionState {
  return useStore(session)
}

/** That of the session, where it is not the built-in one. */
export function useIssuer(): SignInIssuer | undefined {
  const state = useSession()
  return state.status === 'open' ? state.issuer : undefined
}
