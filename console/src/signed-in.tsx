import { MusterProvider } from '@muster/react'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent as lazy,
  Navigate,
  RouterProvider,
} from '@tanstack/react-router'
import { auditSearch } from './audit/calls.ts'
import { keysSearch } from './key-check/credential.ts'
import { invitationSearch, organizationsSearch } from './organizations/search.ts'
import { muster } from './session/muster.ts'
import { queries } from './session/queries.ts'
import { HomeScreen, Shell } from './shell/shell.tsx'
import { StepUpDialog } from './step-up/step-up-dialog.tsx'
import { Toasts } from './ui/toast.tsx'
import { usersSearch } from './users/calls.ts'
import { deliveriesSearch } from './webhooks/calls.ts'

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

const root = createRootRoute({ component: Shell, notFoundComponent: () => <Navigate to="/" replace /> })

const at = <const Path extends string>(path: Path) => ({ getParentRoute: () => root, path })

/**
 * The screens by their addresses, each loaded when it is first opened. What stands behind the `#` never leaves the browser: neither a log
 * nor a proxy sees whom an administrator looks for.
 */
const routes = [
  createRoute({ ...at('/'), component: HomeScreen }),
  createRoute({
    ...at('/users'),
    validateSearch: usersSearch,
    component: lazy(() => import('./users/users-screen.tsx'), 'UsersScreen'),
  }),
  createRoute({ ...at('/users/$userId'), component: lazy(() => import('./users/user-screen.tsx'), 'UserScreen') }),
  createRoute({
    ...at('/users/$userId/as'),
    component: lazy(() => import('./act-as/act-as-screen.tsx'), 'ActAsScreen'),
  }),
  createRoute({
    ...at('/organizations'),
    validateSearch: organizationsSearch,
    component: lazy(() => import('./organizations/organizations-screen.tsx'), 'OrganizationsScreen'),
  }),
  createRoute({
    ...at('/organizations/$orgId'),
    component: lazy(() => import('./organizations/organization-screen.tsx'), 'OrganizationScreen'),
  }),
  createRoute({
    ...at('/invitation'),
    validateSearch: invitationSearch,
    component: lazy(() => import('./organizations/invitation-screen.tsx'), 'InvitationScreen'),
  }),
  createRoute({
    ...at('/keys'),
    validateSearch: keysSearch,
    component: lazy(() => import('./key-check/key-check-screen.tsx'), 'KeyCheckScreen'),
  }),
  createRoute({ ...at('/billing'), component: lazy(() => import('./billing/billing-screen.tsx'), 'BillingScreen') }),
  createRoute({
    ...at('/audit'),
    validateSearch: auditSearch,
    component: lazy(() => import('./audit/audit-screen.tsx'), 'AuditScreen'),
  }),
  createRoute({
    ...at('/webhooks'),
    component: lazy(() => import('./webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
  }),
  createRoute({
    ...at('/webhooks/$webhookId'),
    validateSearch: deliveriesSearch,
    component: lazy(() => import('./webhooks/endpoint-screen.tsx'), 'EndpointScreen'),
  }),
  createRoute({ ...at('/system'), component: lazy(() => import('./system/system-screen.tsx'), 'SystemScreen') }),
  createRoute({ ...at('/me'), component: lazy(() => import('./me/me-screen.tsx'), 'MeScreen') }),
] as const

const router = createRouter({
  routeTree: root.addChildren(routes),
  history: createHashHistory(),
  defaultPreload: false,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
