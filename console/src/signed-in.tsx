import { MusterProvider } from '@muster/react'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  RouterProvider,
  redirect,
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

/** Bookmarks of earlier releases. */
function toUsers({ location: { href } }: { readonly location: { readonly href: string } }): never {
  throw redirect({ href: href.replace(/^\/people/, '/users'), replace: true })
}

const root = createRootRoute({ component: Shell, notFoundComponent: () => <Navigate to="/" replace /> })

/**
 * The screens by their addresses, each loaded when it is first opened. What stands behind the `#` never leaves the browser: neither a log
 * nor a proxy sees whom an administrator looks for.
 */
const routes = [
  createRoute({ getParentRoute: () => root, path: '/', component: HomeScreen }),
  createRoute({
    getParentRoute: () => root,
    path: '/users',
    validateSearch: usersSearch,
    component: lazyRouteComponent(() => import('./users/users-screen.tsx'), 'UsersScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/users/$userId',
    component: lazyRouteComponent(() => import('./users/user-screen.tsx'), 'UserScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/users/$userId/as',
    component: lazyRouteComponent(() => import('./act-as/act-as-screen.tsx'), 'ActAsScreen'),
  }),
  createRoute({ getParentRoute: () => root, path: '/people', beforeLoad: toUsers }),
  createRoute({ getParentRoute: () => root, path: '/people/$', beforeLoad: toUsers }),
  createRoute({
    getParentRoute: () => root,
    path: '/organizations',
    validateSearch: organizationsSearch,
    component: lazyRouteComponent(() => import('./organizations/organizations-screen.tsx'), 'OrganizationsScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/organizations/$orgId',
    component: lazyRouteComponent(() => import('./organizations/organization-screen.tsx'), 'OrganizationScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invitation',
    validateSearch: invitationSearch,
    component: lazyRouteComponent(() => import('./organizations/invitation-screen.tsx'), 'InvitationScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/keys',
    validateSearch: keysSearch,
    component: lazyRouteComponent(() => import('./key-check/key-check-screen.tsx'), 'KeyCheckScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/billing',
    component: lazyRouteComponent(() => import('./billing/billing-screen.tsx'), 'BillingScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/audit',
    validateSearch: auditSearch,
    component: lazyRouteComponent(() => import('./audit/audit-screen.tsx'), 'AuditScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('./webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/webhooks/$webhookId',
    validateSearch: deliveriesSearch,
    component: lazyRouteComponent(() => import('./webhooks/endpoint-screen.tsx'), 'EndpointScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/system',
    component: lazyRouteComponent(() => import('./system/system-screen.tsx'), 'SystemScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/me',
    component: lazyRouteComponent(() => import('./me/me-screen.tsx'), 'MeScreen'),
  }),
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
