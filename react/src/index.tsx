import type { Muster } from '@muster/client'
import { createContext, type ReactNode, useContext, useMemo, useState, useSyncExternalStore } from 'react'
import { createUserStore, hasPermission, type UserData, type UserState, type UserStore } from './user-store.ts'

export { hasPermission, type UserData, type UserState } from './user-store.ts'

interface Provided {
  readonly client: Muster
  readonly store: UserStore
}

const Context = createContext<Provided | undefined>(undefined)

export interface MusterProviderProps {
  readonly client: Muster
  /** What a server has read with this client, so that the first render has it. Later values, and those for a later client, are ignored. */
  readonly initialUser?: UserData | undefined
  readonly children?: ReactNode
}

/** Gives the components below it a client, and the user whose token the client has. Another user is another client, or `refresh`. */
export function MusterProvider({ client, initialUser, children }: MusterProviderProps) {
  const [first] = useState({ client, initialUser })
  const provided = useMemo(() => {
    const known = client === first.client ? first.initialUser : undefined
    return { client, store: createUserStore(client, known) }
  }, [client, first])
  return <Context.Provider value={provided}>{children}</Context.Provider>
}

function useProvided(): Provided {
  const provided = useContext(Context)
  if (provided === undefined) throw new Error('There is no MusterProvider around this component.')
  return provided
}

/** The client of the provider. */
export function useMuster(): Muster {
  return useProvided().client
}

export type CurrentUser = UserState & {
  /** Asks once more, such as after a change or a sign-in. Resolves when the state is that of a request sent after this call. */
  refresh(): Promise<void>
}

/** What is known of the user who is signed in: asked for once, and again when the page is looked at after a while. */
export function useUser(): CurrentUser {
  const { store } = useProvided()
  const state = useSyncExternalStore(store.subscribe, store.read, store.readFirst)
  return useMemo(() => ({ ...state, refresh: store.refresh }), [state, store])
}

export interface RequirePermissionProps {
  readonly resource: string
  readonly action: string
  readonly children?: ReactNode
  /** For a user who lacks the permission, and for none. */
  readonly fallback?: ReactNode
  /** While it is not known yet. */
  readonly pending?: ReactNode
  /** Where it could not be found out. */
  readonly failed?: ReactNode
}

/** Shows its children to users with a permission. The service checks each call itself: this hides what would be refused. */
export function RequirePermission({
  resource,
  action,
  children,
  fallback = null,
  pending = null,
  failed = null,
}: RequirePermissionProps) {
  const current = useUser()
  if (current.status === 'loading') return pending
  if (current.status === 'failed') return failed
  return current.status === 'ready' && hasPermission(current.user, resource, action) ? children : fallback
}
