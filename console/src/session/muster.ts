import { createMuster } from '@muster/client'
import { useSyncExternalStore } from 'react'
import { createSession } from './session.ts'
import type { SessionState } from './session-state.ts'

export const session = createSession()

/** The service that this page came from. */
export const muster = createMuster({ baseUrl: location.origin, source: session.source })

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.read)
}
