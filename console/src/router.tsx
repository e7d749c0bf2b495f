import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
} from '@tanstack/react-router'
import { auditSearch } from './audit/search.ts'
import { keysSearch } from './key-check/search.ts'
import { invitationSearch, organizationsSearch } from './organizations/search.ts'
import { peopleSearch } from './people/search.ts'
import { HomeScreen } from './shell/home-screen.tsx'
import { Shell } from './shell/shell.tsx'
import { deliveriesSearch } from './webhooks/search.ts'

const root = createRootRoute({ component: Shell, notFoundComponent: () => <Navigate to="/" replace /> })

/**
 * The screens by their addresses, each loaded when it is first opened. What stands behind the `#` never leaves the browser: neither a log
 * nor a proxy sees whom an administrator looks for.
 */
const screens = [
  createRoute({ getParentRoute: () => root, path: '/', component: HomeScreen }),
  createRoute({
    getParentRoute: () => root,
    path: '/people',
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./people/people-screen.tsx'), 'PeopleScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/people/$userId',
    component: lazyRouteComponent(() => import('./people/person-screen.tsx'), 'PersonScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/people/$userId/as',
    component: lazyRouteComponent(() => import('./act-as/act-as-screen.tsx'), 'ActAsScreen'),
  }),
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

export const router = createRouter({
  routeTree: root.addChildren(screens),
  history: createHashHistory(),
  defaultPreload: false,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
