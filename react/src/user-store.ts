import { isProblem, type Muster, type ProblemError, type Schemas, unwrap } from '@muster/client'

export type UserData = Schemas['UserData']

/** What is known of the user who is signed in. */
export type UserState =
  | { readonly status: 'loading' }
  | {
      readonly status: 'ready'
      readonly user: UserData
      readonly isRefreshing: boolean
      /** Why the last refresh failed: `user` may be out of date. */
      readonly error?: unknown
    }
  /** No token, or one that is no longer good. */
  | { readonly status: 'signed_out'; readonly error: ProblemError }
  /** It could not be found out, or the account may not be read, such as a disabled one. */
  | { readonly status: 'failed'; readonly error: unknown }

/** The state of one user, shared by every component below a provider. */
export interface UserStore {
  read(): UserState
  /** The state before the first call, on a server and for the first render of a page that came from one. */
  readFirst(): UserState
  /** Asks when the first listener comes, and again when the page gets the attention of its reader. Returns how to stop. */
  subscribe(listener: () => void): () => void
  /** Asks once more. Resolves when the state is that of a request which was sent after this call. */
  refresh(): Promise<void>
}

/** Looking at the page again asks again, where the last answer is older. */
const freshForMs = 5_000

export function createUserStore(muster: Pick<Muster, 'GET'>, initialUser?: UserData): UserStore {
  const first: UserState =
    initialUser === undefined ? { status: 'loading' } : { status: 'ready', user: initialUser, isRefreshing: false }
  const listeners = new Set<() => void>()
  let state: UserState = first
  let askedAtMs = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  let following: Promise<void> | undefined

  function become(next: UserState): void {
    state = next
    for (const listener of listeners) listener()
  }

  async function ask(): Promise<void> {
    askedAtMs = Date.now()
    if (state.status === 'ready') become({ ...state, isRefreshing: true })
    try {
      become({ status: 'ready', user: await unwrap(muster.GET('/api/v1/user/data')), isRefreshing: false })
    } catch (error) {
      become(afterFailure(state, error))
    }
  }

  function start(): Promise<void> {
    running = ask().finally(() => {
      running = undefined
    })
    return running
  }

  function refresh(): Promise<void> {
    if (running === undefined) return start()
    // The request under way may have been answered before what the caller knows of.
    following ??= running.then(() => {
      following = undefined
      return start()
    })
    return following
  }

  function look(): void {
    if (document.visibilityState === 'visible' && Date.now() - askedAtMs > freshForMs) void refresh()
  }

  return {
    read: () => state,
    readFirst: () => first,
    subscribe(listener) {
      if (listeners.size === 0) for (const target of [window, document]) listen(target, look)
      listeners.add(listener)
      if (running === undefined && state === first) void start()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) for (const target of [window, document]) unlisten(target, look)
      }
    },
    refresh,
  }
}

const events = ['focus', 'online', 'visibilitychange'] as const

function listen(target: EventTarget, listener: () => void): void {
  for (const event of events) target.addEventListener(event, listener)
}

function unlisten(target: EventTarget, listener: () => void): void {
  for (const event of events) target.removeEventListener(event, listener)
}

/** A refusal ends what was known of the user; a failure leaves it, and says so. */
function afterFailure(state: UserState, error: unknown): UserState {
  const status = isProblem(error) ? error.problem.status : undefined
  if (isProblem(error) && status === 401) return { status: 'signed_out', error }
  return state.status === 'ready' && status !== 403
    ? { ...state, isRefreshing: false, error }
    : { status: 'failed', error }
}

/** Whether the permissions of a user contain this one. For what a page shows: the service checks each call itself. */
export function hasPermission({ permissions }: UserData, resource: string, action: string): boolean {
  return Object.hasOwn(permissions, resource) && permissions[resource]?.includes(action) === true
}
