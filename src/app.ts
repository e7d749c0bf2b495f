import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { docsPage, docsScript } from './api-docs/docs-routes.ts'
import { openapiDocument } from './api-docs/openapi.ts'
import { openapi } from './api-docs/openapi-route.ts'
import { problemsPage } from './api-docs/problems-route.ts'
import type { Billing } from './billing/billing.ts'
import { billingOperations } from './billing/routes.ts'
import { contractsOf } from './contracts.ts'
import type { Authenticate } from './identity/authenticate.ts'
import type { Issuers } from './identity/issuers/open-issuers.ts'
import { methodsOf, mount } from './identity/mount.ts'
import type { Validation } from './key-checks/engine/check.ts'
import { providers } from './key-checks/providers-route.ts'
import { providerKeysValidate } from './key-checks/route.ts'
import { orgs } from './organizations/routes.ts'
import type { Database } from './platform/database/database.ts'
import { answerProblems } from './platform/http/answer-problems.ts'
import { newServer } from './platform/http/new-server.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { NodeLimit, RateLimits } from './platform/rate-limit/rate-limits.ts'
import type { BuiltInIssuer } from './sign-in/issuer.ts'
import { signInOperations } from './sign-in/routes/routes.ts'
import { livez } from './status/livez.ts'
import { metrics } from './status/metrics.ts'
import { readyz } from './status/readyz.ts'
import type { ResponseCache } from './user-data/cache.ts'
import type { Invalidation } from './user-data/invalidation.ts'
import { userData } from './user-data/route.ts'
import { adminUsersFetch, type ListSettings } from './users/list-route.ts'
import { adminUsers } from './users/routes.ts'

/** What the service is made of. Whoever opened a part closes it. */
export interface Parts {
  readonly database: Database
  readonly issuers: Issuers
  readonly authenticate: Authenticate
  readonly cache: ResponseCache
  readonly invalidation: Invalidation
  readonly listSettings: ListSettings
  readonly validation: Validation
  readonly billing?: Billing | undefined
  readonly issuer?: BuiltInIssuer | undefined
  readonly limits: RateLimits<'key-checks' | 'sign-ins'>
  readonly readLimit: NodeLimit
  readonly fingerprintKey: Buffer
  readonly metrics: Metrics
  readonly servesMetrics: boolean
  readonly checkMetricsToken: (rawHeaders: readonly string[]) => void
  readonly log: Logger
  readonly version: string
  readonly trustedProxies: readonly string[]
  readonly isDraining: () => boolean
}

/** Everything the service answers, by name. */
export function buildApp(parts: Parts): FastifyInstance {
  const { database, cache, validation, billing, issuer, log } = parts
  const contracts = contractsOf({
    builtInIssuer: issuer !== undefined,
    webhooks: (billing?.processors ?? []).map(({ webhook }) => webhook),
    checkout: billing?.checkout !== undefined,
    metrics: parts.servesMetrics,
  })
  const app = newServer({ trustedProxies: parts.trustedProxies }, { log, countRequest: parts.metrics.countRequest })
  answerProblems(app, methodsOf(contracts)) // one shape for every failure

  mount(app, parts, contracts, [
    userData(database, cache),
    adminUsersFetch(database, parts.listSettings),
    ...adminUsers(database),
    ...orgs(database),
    providerKeysValidate(parts),
    providers(validation),
    ...(billing ? billingOperations(database, billing) : []),
    ...(issuer ? signInOperations(issuer, parts.limits) : []),
    livez(),
    readyz(parts),
    ...(parts.servesMetrics ? [metrics(parts.metrics)] : []),
    openapi(() => openapiDocument(contracts, parts.version, validation.catalogue())),
    problemsPage(),
    docsPage(),
    docsScript(),
  ])
  return app
}
