import { MusterProvider } from '@muster/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { router } from './router.tsx'
import { muster, queries, session } from './session/muster.ts'
import { useSession } from './session/use-session.ts'
import { Unreachable } from './shell/unreachable.tsx'
import { SignInScreen } from './sign-in/sign-in-screen.tsx'
import { StepUpDialog } from './step-up/step-up-dialog.tsx'
import { Skeleton } from './ui/answer.tsx'
import { Toasts } from './ui/toast.tsx'

/** The screens for a browser with a session; the sign-in without one. What is below the provider belongs to one session. */
export function App() {
  const state = useSession()
  if (state.status === 'opening') return <Skeleton />
  if (state.status === 'unreachable') return <Unreachable onRetry={() => void session.resume()} />
  if (state.status === 'closed') return <SignInScreen hasEnded={state.hasEnded} />
  return (
    <QueryClientProvider client={queries}>
      <MusterProvider client={muster}>
        <RouterProvider router={router} />
        <StepUpDialog />
        <Toasts />
      </MusterProvider>
    </QueryClientProvider>
  )
}
