import { MusterProvider } from '@muster/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { router } from './router.tsx'
import { muster } from './session/muster.ts'
import { queries } from './session/queries.ts'
import { StepUpDialog } from './step-up/step-up-dialog.tsx'
import { Toasts } from './ui/toast.tsx'

/** The screens of one session. */
export function SignedIn() {
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
