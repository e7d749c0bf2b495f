import { lazy, Suspense } from 'react'
import { session } from './session/muster.ts'
import { useSession } from './session/use-session.ts'
import { Insecure } from './shell/insecure.tsx'
import { Top } from './shell/top.tsx'
import { Unreachable } from './shell/unreachable.tsx'
import { SignInScreen } from './sign-in/sign-in-screen.tsx'
import { Skeleton } from './ui/skeleton.tsx'

/** Loaded for a browser with a session: what a sign-in needs comes first. */
const SignedIn = lazy(async () => ({ default: (await import('./signed-in.tsx')).SignedIn }))

/** The screens for a browser with a session; the sign-in without one. */
export function App() {
  const state = useSession()
  if (state.status === 'opening') return <Opening />
  if (state.status === 'insecure') return <Insecure />
  if (state.status === 'unreachable') return <Unreachable onRetry={() => void session.resume()} />
  if (state.status === 'closed') return <SignInScreen state={state} />
  return (
    <Suspense fallback={<Opening />}>
      <SignedIn />
    </Suspense>
  )
}

/** Until it is known what the page shows. */
function Opening() {
  return (
    <div className="shell">
      <Top />
      <main>
        <Skeleton />
      </main>
    </div>
  )
}
