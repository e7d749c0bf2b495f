import { useSyncExternalStore } from 'react'
import { session } from './muster.ts'
import type { SessionState } from './session-state.ts'

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.read)
}
