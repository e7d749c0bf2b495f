import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Gate } from './access/gate.ts'
import type { Limits } from './access/limits.ts'
import type { Issuers } from './access/open-issuers.ts'
import type { ReadLimit } from './access/read-limit.ts'
import type { Answers } from './accounts/answers.ts'
import type { Changes } from './accounts/changes.ts'
import type { Listing } from './accounts/listing.ts'
import type { Billing } from './billing/billing.ts'
import { contractsOf } from './contract/contracts.ts'
import type { Database } from './database/database.ts'
import type { BuiltInIssuer } from './issuer/issuer.ts'
import { lineWriter } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'
import { openapiDocument } from './openapi.ts'
import { adminUsers } from './operations/admin-users.ts'
import { adminUsersFetch, type ListingLimits } from './operations/admin-users-fetch.ts'
import { authOperations } from './operations/auth-operations.ts'
import { billingOperations } from './operations/billing-operations.ts'
import { docsPage, docsScript } from './operations/docs.ts'
import { livez } from './operations/livez.ts'
import { metrics } from './operations/metrics.ts'
import { openapi } from './operations/openapi.ts'
import { orgs } from './operations/orgs.ts'
import { problemsPage } from './operations/problems-page.ts'
import { providerKeysValidate } from './operations/provider-keys-validate.ts'
import { providers } from './operations/providers.ts'
import { readyz } from './operations/readyz.ts'
import { userData, userDataAtOnce } from './operations/user-data.ts'
import { answerProblems } from './server/answer-problems.ts'
import { methodsOf, mount } from './server/mount.ts'
import { addressReader, newServer } from './server/new-server.ts'
import { requestMembers } from './server/request-log.ts'
import { takeShortcuts } from './server/shortcut.ts'
import type { Validation } from './validation/validate.ts'

/** What the service is made of. Whoever opened a part closes it. */
export interface Parts {
  readonly database: Database
  readonly issuers: Issuers
  readonly gate: Gate
  readonly answers: Answers
  readonly changes: Changes
  readonly listing: Listing
  readonly listingLimits: ListingLimits
  readonly validation: Validation
  readonly billing?: Billing | undefined
  readonly issuer?: BuiltInIssuer | undefined
  readonly limits: Limits<'key-checks' | 'sign-ins'>
  readonly readLimit: ReadLimit
  readonly fingerprintKey: Buffer
  readonly metrics: Metrics
  readonly servesMetrics: boolean
  readonly scraperGate: (rawHeaders: readonly string[]) => void
  readonly log: Logger
  readonly version: string
  readonly trustedProxies: readonly string[]
  readonly isDraining: () => boolean
}

/** Everything the service answers, by name. */
export function buildApp(parts: Parts): FastifyInstance {
  const { database, answers, listing, validation, billing, issuer, log } = parts
  const contracts = contractsOf({
    builtInIssuer: issuer !== undefined,
    webhooks: [...(billing?.processors.keys() ?? [])],
    sales: billing?.sales !== undefined,
    metrics: parts.servesMetrics,
  })
  const records = { log, writeLine: lineWriter(log, requestMembers), countRequest: parts.metrics.countRequest }
  const app = newServer({ trustedProxies: parts.trustedProxies }, records)
  answerProblems(app, methodsOf(contracts)) // one shape for every failure

  mount(app, parts, contracts, [
    userData(database, answers),
    adminUsersFetch(listing, parts.listingLimits),
    ...adminUsers(database),
    ...orgs(database),
    providerKeysValidate(parts),
    providers(validation),
    ...(billing ? billingOperations(database, billing) : []),
    ...(issuer ? authOperations(issuer, parts.limits) : []),
    livez(),
    readyz(parts),
    ...(parts.servesMetrics ? [metrics(parts.metrics)] : []),
    openapi(() => openapiDocument(contracts, parts.version, validation.catalogue())),
    problemsPage(),
    docsPage(),
    docsScript(),
  ])
  takeShortcuts(app, userDataAtOnce(parts), records, addressReader(parts.trustedProxies))
  return app
}
