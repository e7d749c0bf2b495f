import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { docsPage, docsScript } from './api-docs/docs-routes.ts'
import type { GuideFiles } from './api-docs/guide-files.ts'
import { guidePages } from './api-docs/guide-routes.ts'
import { openapiDocument } from './api-docs/openapi.ts'
import { openapi } from './api-docs/openapi-route.ts'
import { problemsPage } from './api-docs/problems-route.ts'
import { auditTrail } from './audit/route.ts'
import type { Billing } from './billing/billing.ts'
import { adminPlans } from './billing/plans-route.ts'
import type { BillingSettings } from './billing/status.ts'
import { billingTable } from './billing-table.ts'
import type { ConsoleFiles } from './console/files.ts'
import { consolePages } from './console/page-routes.ts'
import { consoleSession } from './console/session-routes.ts'
import { type ConsoleIssuer, signInOptions } from './console/sign-in-options.ts'
import { allContracts, allMessages } from './contracts.ts'
import type { Authenticate } from './identity/authenticate.ts'
import type { ErasureSettings } from './identity/erase-account.ts'
import type { Issuers } from './identity/issuers/open-issuers.ts'
import type { ListReads } from './identity/list-reads.ts'
import { methodsOf, mount, route } from './identity/mount.ts'
import type { Operation } from './identity/operation.ts'
import { providerKeysValidateBatch } from './key-checks/batch-route.ts'
import type { Validation } from './key-checks/engine/check.ts'
import { providerKeysValidate, providers } from './key-checks/route.ts'
import { adminOrganizations } from './organizations/list-route.ts'
import { organizations } from './organizations/routes.ts'
import type { RecordAudit } from './platform/audit/audit.ts'
import type { ClockOffset } from './platform/database/clock-offset.ts'
import type { Database } from './platform/database/database.ts'
import type { Replicas } from './platform/database/replica/open-replicas.ts'
import type { SchemaWatch } from './platform/database/schema-watch.ts'
import { answerProblems } from './platform/http/answer-problems.ts'
import type { ConnectionLimit } from './platform/http/connection-limit.ts'
import { allowOrigins } from './platform/http/cors.ts'
import { newServer } from './platform/http/new-server.ts'
import type { UntrustedProxies } from './platform/http/untrusted-proxies.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { NodeLimits, RateLimits } from './platform/rate-limit/rate-limits.ts'
import type { Tracing } from './platform/tracing/tracing.ts'
import { serviceKeys } from './service-keys/routes.ts'
import { readAccountWaits } from './sign-in/guessing/account-buckets.ts'
import type { BuiltInIssuer } from './sign-in/issuer.ts'
import { signInTable } from './sign-in-table.ts'
import { livez } from './status/livez.ts'
import { metrics } from './status/metrics.ts'
import { readyz } from './status/readyz.ts'
import { system } from './status/system.ts'
import type { SystemStatus } from './status/system-contract.ts'
import type { ResponseCache } from './user-data/cache.ts'
import type { Invalidation } from './user-data/invalidation.ts'
import { userData, userDataOfUser } from './user-data/route.ts'
import { actAsTable } from './users/act-as-route.ts'
import { adminUsersFetch, type ListSettings } from './users/list-route.ts'
import { adminUsersPages } from './users/pages-route.ts'
import { adminRoles } from './users/roles-route.ts'
import { adminUsers } from './users/routes.ts'
import type { Endpoints } from './webhooks/endpoints.ts'
import { webhooksTable } from './webhooks/routes.ts'

/** The web console, unless it is switched off. */
export interface Console {
  /** Absent where the console was not built. */
  readonly files?: ConsoleFiles | undefined
  /** Other issuers at which it signs users in. */
  readonly issuers: readonly ConsoleIssuer[]
}

/** What the service is made of. The code that opened a part closes it. */
export interface Parts {
  readonly database: Database
  /** Of lists that may be a moment old. */
  readonly reads: ListReads
  readonly replicas?: Replicas | undefined
  readonly issuers: Issuers
  readonly authenticate: Authenticate
  readonly cache: ResponseCache
  readonly invalidation: Invalidation
  readonly listSettings: ListSettings
  /** For which events of the audit trail are kept; 0 for ever. */
  readonly auditDays: number
  readonly validation: Validation
  readonly billing?: Billing | undefined
  readonly billingSettings: BillingSettings
  readonly issuer?: BuiltInIssuer | undefined
  readonly webhooks?: Endpoints | undefined
  readonly console?: Console | undefined
  readonly guide: GuideFiles
  readonly erasure: ErasureSettings
  readonly recordAudit: RecordAudit
  readonly limits: RateLimits<'key-checks' | 'sign-ins' | 'device-sign-ins'>
  readonly nodeLimits: NodeLimits
  readonly fingerprintKey: Buffer
  readonly metrics: Metrics
  readonly servesMetrics: boolean
  readonly checkMetricsToken: (rawHeaders: readonly string[]) => void
  readonly log: Logger
  readonly version: string
  readonly trustedProxies: readonly string[]
  readonly untrustedProxies: UntrustedProxies
  readonly hostNames: readonly string[] | undefined
  readonly allowedOrigins: readonly string[]
  readonly isDraining: () => boolean
  readonly onDatabaseUnreachable: () => void
  readonly clockOffset: ClockOffset
  readonly schema: SchemaWatch
  /** The state of the node for administrators. */
  readonly readSystem: () => Promise<SystemStatus>
  /** Where requests are traced. */
  readonly tracing?: Tracing | undefined
  readonly descriptors: { stop(): Promise<void> }
  readonly connectionLimit: ConnectionLimit
}

/** Everything that the service answers: method, path, permission, handler. The compiler holds each line to its contract. */
export function operationsOf(parts: Parts): readonly Operation[] {
  const { database, validation, issuer, erasure } = parts
  const { sessionIdleSeconds } = issuer?.settings ?? {}
  const user = adminUsers(database, {
    erasure,
    sessionIdleSeconds,
    ...(issuer && { readSignInWaits: readAccountWaits }),
  })
  const key = serviceKeys(database)
  const table: readonly Operation[] = [
    route('GET /api/v1/user/data', 'caller', userData(database, parts.cache)),

    route('GET /api/v1/admin/users/fetch', 'users:list', adminUsersFetch(parts.reads, parts.listSettings)),
    route('GET /api/v1/admin/users', 'users:list', adminUsersPages(parts.reads, parts.listSettings.cursors)),
    ...listsTable(parts),
    route('GET /api/v1/admin/users/{userId}', 'users:read', user.read),
    route('GET /api/v1/admin/users/{userId}/data', 'user_data:read', userDataOfUser(database)),
    ...actAsTable(database),
    route('POST /api/v1/admin/users/{userId}/disable', 'users:disable', user.disable),
    route('POST /api/v1/admin/users/{userId}/enable', 'users:enable', user.enable),
    route('PUT /api/v1/admin/users/{userId}/role', 'users:change_role', user.changeRole),
    route('DELETE /api/v1/admin/users/{userId}', 'users:erase', user.erase),
    route('GET /api/v1/admin/users/{userId}/sessions', 'users:read', user.listSessions),
    route('GET /api/v1/admin/users/{userId}/factors', 'users:read', user.listFactors),
    route('DELETE /api/v1/admin/users/{userId}/sessions', 'users:end_sessions', user.endSessions),

    route(
      'GET /api/v1/admin/audit',
      'audit:read',
      auditTrail(parts.reads, parts.listSettings.cursors, parts.auditDays),
    ),

    route('GET /api/v1/admin/service-keys', 'service_keys:manage', key.list),
    route('POST /api/v1/admin/service-keys', 'service_keys:manage', key.create),
    route('POST /api/v1/admin/service-keys/{keyId}/rotate', 'service_keys:manage', key.rotate),
    route('DELETE /api/v1/admin/service-keys/{keyId}', 'service_keys:manage', key.revoke),

    ...(parts.webhooks ? webhooksTable(parts.webhooks, parts.listSettings.cursors) : []),

    ...organizationsTable(database),

    route('POST /api/v1/provider/keys/validate', 'provider_keys:validate', providerKeysValidate(parts)),
    route('POST /api/v1/provider/keys/validate-batch', 'provider_keys:validate', providerKeysValidateBatch(parts)),
    route('GET /api/v1/providers', 'public', providers(validation)),

    ...billingTable(parts),
    ...(issuer ? signInTable(issuer, parts) : []),
    ...(parts.console ? consoleTable(parts.console, issuer) : []),

    ...statusTable(parts),
    route(
      'GET /openapi.json',
      'public',
      openapi(() => documentOf(table, parts)),
    ),
    ...docsTable(parts.guide),
  ]
  return table
}

/** The reference and the documentation. */
function docsTable(files: GuideFiles): readonly Operation[] {
  const guide = guidePages(files)
  return [
    route('GET /docs', 'public', docsPage()),
    route('GET /docs/reference.js', 'public', docsScript()),
    route('GET /docs/problems.md', 'public', problemsPage(files)),
    route('GET /docs/guide', 'public', guide.start),
    route('GET /docs/guide/{page}', 'public', guide.page),
    route('GET /docs/guide/{section}/{page}', 'public', guide.section),
    route('GET /docs/guide/assets/{file}', 'public', guide.asset),
    route('GET /docs/guide/assets/chunks/{file}', 'public', guide.chunk),
  ]
}

/** What administrators choose from. */
function listsTable({ database, reads, listSettings }: Parts): readonly Operation[] {
  return [
    route('GET /api/v1/admin/organizations', 'organizations:list', adminOrganizations(reads, listSettings.cursors)),
    route('GET /api/v1/admin/roles', 'roles:list', adminRoles(database)),
    route('GET /api/v1/admin/plans', 'plans:list', adminPlans(database)),
  ]
}

function organizationsTable(database: Database): readonly Operation[] {
  const org = organizations(database)
  return [
    route('GET /api/v1/orgs', 'caller', org.listOwn),
    route('POST /api/v1/orgs', 'organization:create', org.create),
    route('POST /api/v1/orgs/accept-invitation', 'caller', org.acceptInvitation),
    route('POST /api/v1/orgs/{orgId}/leave', 'member in {orgId}', org.leave),
    route('GET /api/v1/orgs/{orgId}/members', 'organization:read in {orgId}', org.listMembers),
    route('PUT /api/v1/orgs/{orgId}/members/{userId}/role', 'organization:manage in {orgId}', org.changeMemberRole),
    route('POST /api/v1/orgs/{orgId}/transfer', 'organization:manage in {orgId}', org.transfer),
    route('DELETE /api/v1/orgs/{orgId}/members/{userId}', 'organization:manage in {orgId}', org.removeMember),
    route('POST /api/v1/orgs/{orgId}/invitations', 'organization:manage in {orgId}', org.invite),
    route('GET /api/v1/orgs/{orgId}/invitations', 'organization:manage in {orgId}', org.listInvitations),
    route(
      'DELETE /api/v1/orgs/{orgId}/invitations/{invitationId}',
      'organization:manage in {orgId}',
      org.revokeInvitation,
    ),
    route('GET /api/v1/orgs/{orgId}/security', 'member in {orgId}', org.readSecurity),
    route('PUT /api/v1/orgs/{orgId}/security', 'organization:manage in {orgId}', org.changeSecurity),
  ]
}

/** For probes and monitoring. */
function statusTable(parts: Parts): readonly Operation[] {
  return [
    route('GET /livez', 'public', livez()),
    route('GET /readyz', 'public', readyz(parts)),
    route('GET /api/v1/admin/system', 'system:read', system(parts.readSystem)),
    ...(parts.servesMetrics ? [route('GET /metrics', 'metrics-token', metrics(parts.metrics))] : []),
  ]
}

/** The web console: a page, the ways to sign in to it, and its session with the built-in issuer. */
function consoleTable({ files, issuers }: Console, issuer: BuiltInIssuer | undefined): readonly Operation[] {
  const origins = [...new Set(issuers.flatMap((one) => one.origins))]
  const pages = files && consolePages(files, origins)
  const session = issuer && consoleSession(issuer)
  return [
    ...(pages ? [route('GET /', 'public', pages.page), route('GET /console/assets/{file}', 'public', pages.file)] : []),
    route('GET /console/sign-in-options', 'public', signInOptions({ builtIn: issuer !== undefined, issuers })),
    ...(session
      ? [
          route('PUT /console/session', 'public', session.open),
          route('POST /console/session', 'public', session.renew),
          route('DELETE /console/session', 'public', session.end),
        ]
      : []),
  ]
}

export function buildApp(parts: Parts): FastifyInstance {
  const operations = operationsOf(parts)
  const app = newServer(
    {
      trustedProxies: parts.trustedProxies,
      untrustedProxies: parts.untrustedProxies,
      hostNames: parts.hostNames,
      connectionLimit: parts.connectionLimit,
      isDraining: parts.isDraining,
      tracing: parts.tracing,
    },
    { log: parts.log, countRequest: parts.metrics.countRequest },
  )
  const methodsAt = methodsOf(operations)
  if (parts.allowedOrigins.length > 0)
    allowOrigins(app, {
      origins: parts.allowedOrigins,
      methodsAt,
      closedPaths: ['/webhooks/', '/metrics', '/console/'],
    })
  answerProblems(app, methodsAt) // one shape for every failure
  mount(app, parts, allContracts, operations)
  return app
}

function documentOf(operations: readonly Operation[], { version, validation }: Parts): object {
  return openapiDocument(
    operations.map(({ contract }) => contract),
    version,
    { providers: validation.catalogue(), messages: allMessages },
  )
}
