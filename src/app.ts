import type { FastifyInstance } from 'fastify'
import { docsPage, docsScript, docsStyle, guidePages, openapi, problemsPage } from './api-docs/docs-routes.ts'
import type { GuideFiles } from './api-docs/guide-files.ts'
import { openapiDocument } from './api-docs/openapi.ts'
import { auditTrail } from './audit/route.ts'
import type { Billing } from './billing/billing.ts'
import { billingAdministration, billingSync, checkoutOperations, webhooks } from './billing/routes.ts'
import { consolePages } from './console/page-routes.ts'
import { consoleSession } from './console/session-routes.ts'
import { signInOptions } from './console/sign-in-options.ts'
import { allContracts, allMessages } from './contracts.ts'
import { methodsOf, mount, type Operation, route } from './identity/operation.ts'
import { providerKeysValidateBatch } from './key-checks/batch-route.ts'
import { providerKeysValidate, providers } from './key-checks/route.ts'
import { adminOrganizations } from './organizations/list-route.ts'
import { invitations, organizations } from './organizations/routes.ts'
import type { Database } from './platform/database/database.ts'
import { allowOrigins } from './platform/http/cors.ts'
import type { Cursors } from './platform/http/cursors.ts'
import { newServer } from './platform/http/new-server.ts'
import { packageVersion } from './platform/package-root.ts'
import type { Console, Parts } from './service/parts.ts'
import { serviceKeys } from './service-keys/routes.ts'
import { relatedOrigins } from './sign-in/factors/webauthn.ts'
import type { BuiltInIssuer } from './sign-in/issuer.ts'
import { createOrMailRecoveryLink } from './sign-in/links/recovery-links.ts'
import { signInOperations } from './sign-in/routes.ts'
import { readLockouts } from './sign-in/sessions/account-buckets.ts'
import { livez, metrics, readyz, system } from './status/routes.ts'
import { userData, userDataOfUser } from './user-data/route.ts'
import { actAs } from './users/act-as-routes.ts'
import { adminUsersFetch, adminUsersPages } from './users/list-route.ts'
import { adminRoles, adminUserRecovery, adminUsers } from './users/routes.ts'
import type { Endpoints } from './webhooks/endpoints.ts'
import { webhookDeliveries, webhookEndpoints } from './webhooks/routes.ts'

/** All routes: method, path, permission, handler. The compiler checks each line against its contract. */
function operationsOf(parts: Parts): readonly Operation[] {
  const { database, keyChecks, issuer, users } = parts
  const { cursors } = users.listSettings
  const { sessionIdleSeconds } = issuer?.settings ?? {}
  const user = adminUsers(database, {
    issuers: users.listSettings.issuers,
    erasure: users.erasure,
    sessionIdleSeconds,
    ...(issuer && { readSignInWaits: readLockouts }),
  })
  const table: readonly Operation[] = [
    route('GET /api/v1/user/data', 'caller', userData(database)),

    route('GET /api/v1/admin/users/fetch', 'users:list', adminUsersFetch(database, users.listSettings)),
    route('GET /api/v1/admin/users', 'users:list', adminUsersPages(database, users.listSettings)),
    ...listsTable(parts),
    route('GET /api/v1/admin/users/by-identity', 'users:read', user.find),
    route('GET /api/v1/admin/users/{userId}', 'users:read', user.read),
    route('GET /api/v1/admin/users/{userId}/data', 'user_data:read', userDataOfUser(database)),
    ...actAsTable(database),
    route('POST /api/v1/admin/users/{userId}/disable', 'users:disable', user.disable),
    route('POST /api/v1/admin/users/{userId}/enable', 'users:enable', user.enable),
    route('PUT /api/v1/admin/users/{userId}/role', 'users:change_role', user.changeRole),
    route('PUT /api/v1/admin/users/{userId}/display-name', 'users:rename', user.rename),
    route('DELETE /api/v1/admin/users/{userId}', 'users:erase', user.erase),
    route('GET /api/v1/admin/users/{userId}/sessions', 'users:read', user.listSessions),
    route('GET /api/v1/admin/users/{userId}/factors', 'users:read', user.listFactors),
    route('DELETE /api/v1/admin/users/{userId}/sessions', 'users:end_sessions', user.endSessions),

    route('GET /api/v1/admin/audit', 'audit:read', auditTrail(database, cursors, users.auditDays)),

    ...serviceKeysTable(database),

    ...(parts.webhooks ? webhooksTable(parts.webhooks, cursors) : []),

    ...organizationsTable(database, issuer),

    route('POST /api/v1/provider/keys/validate', 'provider_keys:validate', providerKeysValidate(keyChecks)),
    route(
      'POST /api/v1/provider/keys/validate-batch',
      'provider_keys:validate',
      providerKeysValidateBatch({ ...keyChecks, isDraining: parts.server.isDraining }),
    ),
    route('GET /api/v1/providers', 'public', providers(keyChecks.keyChecks)),

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

/** API reference and documentation. */
function docsTable(files: GuideFiles): readonly Operation[] {
  const guide = guidePages(files)
  return [
    route('GET /docs', 'public', docsPage()),
    route('GET /docs/reference.js', 'public', docsScript()),
    route('GET /docs/reference.css', 'public', docsStyle()),
    route('GET /docs/problems.md', 'public', problemsPage(files)),
    route('GET /docs/guide', 'public', guide.start),
    route('GET /docs/guide/{page}', 'public', guide.page),
    route('GET /docs/guide/{section}/{page}', 'public', guide.section),
    route('GET /docs/guide/assets/{file}', 'public', guide.asset),
    route('GET /docs/guide/assets/chunks/{file}', 'public', guide.chunk),
  ]
}

/** Lists for administrators to choose from. */
function listsTable({ database, users: { listSettings } }: Parts): readonly Operation[] {
  return [
    route('GET /api/v1/admin/organizations', 'organizations:list', adminOrganizations(database, listSettings.cursors)),
    route('GET /api/v1/admin/roles', 'roles:list', adminRoles(database)),
  ]
}

function webhooksTable(endpoints: Endpoints, cursors: Cursors): readonly Operation[] {
  const webhook = webhookEndpoints(endpoints)
  const delivery = webhookDeliveries(endpoints, cursors)
  return [
    route('GET /api/v1/admin/webhooks', 'webhooks:manage', webhook.list),
    route('POST /api/v1/admin/webhooks', 'webhooks:manage', webhook.create),
    route('PATCH /api/v1/admin/webhooks/{webhookId}', 'webhooks:manage', webhook.change),
    route('DELETE /api/v1/admin/webhooks/{webhookId}', 'webhooks:manage', webhook.remove),
    route('POST /api/v1/admin/webhooks/{webhookId}/rotate', 'webhooks:manage', webhook.rotate),
    route('POST /api/v1/admin/webhooks/{webhookId}/test', 'webhooks:manage', delivery.test),
    route('POST /api/v1/admin/webhooks/{webhookId}/replay', 'webhooks:manage', delivery.replay),
    route('GET /api/v1/admin/webhooks/{webhookId}/deliveries', 'webhooks:manage', delivery.list),
    route(
      'POST /api/v1/admin/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
      'webhooks:manage',
      delivery.replayOne,
    ),
  ]
}

function actAsTable(database: Database): readonly Operation[] {
  const { start, end } = actAs(database)
  return [
    route('POST /api/v1/admin/users/{userId}/act-as', 'users:act_as', start),
    route('DELETE /api/v1/admin/users/{userId}/act-as', 'users:act_as', end),
  ]
}

function serviceKeysTable(database: Database): readonly Operation[] {
  const key = serviceKeys(database)
  return [
    route('GET /api/v1/admin/service-keys', 'service_keys:manage', key.list),
    route('POST /api/v1/admin/service-keys', 'service_keys:manage', key.create),
    route('POST /api/v1/admin/service-keys/{keyId}/rotate', 'service_keys:manage', key.rotate),
    route('DELETE /api/v1/admin/service-keys/{keyId}', 'service_keys:manage', key.revoke),
  ]
}

function organizationsTable(database: Database, issuer: BuiltInIssuer | undefined): readonly Operation[] {
  const org = organizations(database)
  return [
    route('GET /api/v1/orgs', 'caller', org.listOwn),
    route('POST /api/v1/orgs', 'organization:create', org.create),
    route('GET /api/v1/orgs/{orgId}', 'organization:read in {orgId}', org.read),
    route('PATCH /api/v1/orgs/{orgId}', 'organization:manage in {orgId}', org.rename),
    route('DELETE /api/v1/orgs/{orgId}', 'organization:manage in {orgId}', org.remove),
    route('GET /api/v1/orgs/{orgId}/roles', 'organization:manage in {orgId}', org.listRoles),
    route('POST /api/v1/orgs/{orgId}/leave', 'member in {orgId}', org.leave),
    route('GET /api/v1/orgs/{orgId}/members', 'organization:read in {orgId}', org.listMembers),
    route('PUT /api/v1/orgs/{orgId}/members/{userId}/role', 'organization:manage in {orgId}', org.changeMemberRole),
    route('POST /api/v1/orgs/{orgId}/transfer', 'organization:manage in {orgId}', org.transfer),
    route('DELETE /api/v1/orgs/{orgId}/members/{userId}', 'organization:manage in {orgId}', org.removeMember),
    route('GET /api/v1/orgs/{orgId}/security', 'member in {orgId}', org.readSecurity),
    route('PUT /api/v1/orgs/{orgId}/security', 'organization:manage in {orgId}', org.changeSecurity),
    ...invitationsTable(database, issuer),
  ]
}

function invitationsTable(database: Database, issuer: BuiltInIssuer | undefined): readonly Operation[] {
  const invitation = invitations(
    database,
    issuer?.outbox && { outbox: issuer.outbox, linkUrl: issuer.settings.linkUrl },
  )
  const manage = 'organization:manage in {orgId}'
  return [
    route('POST /api/v1/orgs/{orgId}/invitations', manage, invitation.invite),
    route('GET /api/v1/orgs/{orgId}/invitations', manage, invitation.list),
    route('POST /api/v1/orgs/{orgId}/invitations/{invitationId}/send', manage, invitation.send),
    route('DELETE /api/v1/orgs/{orgId}/invitations/{invitationId}', manage, invitation.revoke),
    route('POST /api/v1/orgs/accept-invitation', 'caller', invitation.acceptToken),
    route('GET /api/v1/invitations', 'caller', invitation.listReceived),
    route('POST /api/v1/invitations/{invitationId}/accept', 'caller', invitation.accept),
    route('POST /api/v1/invitations/{invitationId}/decline', 'caller', invitation.decline),
  ]
}

/** Probes and monitoring. */
function statusTable({ database, access, monitoring, server: { isDraining } }: Parts): readonly Operation[] {
  const { clockOffset, schema, readSystem } = monitoring
  return [
    route('GET /livez', 'public', livez()),
    route('GET /readyz', 'public', readyz({ database, clockOffset, schema, issuers: access.issuers, isDraining })),
    route('GET /api/v1/admin/system', 'system:read', system(readSystem)),
    ...(monitoring.servesMetrics ? [route('GET /metrics', 'metrics-token', metrics(monitoring.metrics))] : []),
  ]
}

/** The web console: the page, its sign-in options, and its session with the built-in issuer. */
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

function billingTable({ database, billing, billingSettings }: Parts): readonly Operation[] {
  const admin = billingAdministration(database, billingSettings, billing)
  return [
    route('GET /api/v1/admin/plans', 'plans:list', admin.listPlans),
    route('GET /api/v1/admin/users/{userId}/subscriptions', 'subscriptions:read', admin.userSubscriptions),
    route('GET /api/v1/admin/billing', 'subscriptions:read', admin.status),
    route('POST /api/v1/admin/billing/customers/{customerId}/confirm', 'subscriptions:manage', admin.confirm),
    route('PUT /api/v1/admin/billing/customers/{customerId}/owner', 'subscriptions:manage', admin.link),
    route('PUT /api/v1/admin/plans/{planId}/rank', 'subscriptions:manage', admin.rankPlan),
    route('PUT /api/v1/admin/billing/prices/{priceId}/plan', 'subscriptions:manage', admin.mapPrice),
    route('DELETE /api/v1/admin/billing/prices/{priceId}/plan', 'subscriptions:manage', admin.unmapPrice),
    ...(billing ? processorTable(database, billing) : []),
  ]
}

/** Webhooks of payment processors, and their hosted pages for buying. */
function processorTable(database: Database, billing: Billing): readonly Operation[] {
  const { checkout: processor, sources, manualSync, returnOrigins } = billing
  const buying = processor && checkoutOperations(database, processor, returnOrigins)
  return [
    ...webhooks(billing).map((webhook) => route(`POST ${webhook.contract.path}`, 'public', webhook)),
    ...(sources.length > 0
      ? [route('POST /api/v1/admin/billing/sync', 'subscriptions:manage', billingSync(manualSync))]
      : []),
    ...(buying
      ? [
          route('POST /api/v1/billing/checkout', 'caller', buying.checkout),
          route('POST /api/v1/billing/portal', 'caller', buying.portal),
        ]
      : []),
  ]
}

/** Operations of the built-in issuer. */
function signInTable(issuer: BuiltInIssuer, { database, users }: Parts): readonly Operation[] {
  const auth = signInOperations(issuer, users.erasure)
  const { passkeys } = issuer.settings
  const hasRelatedOrigins = passkeys !== undefined && relatedOrigins(passkeys).length > 0
  const recovery = adminUserRecovery(database, (rows, link) => createOrMailRecoveryLink(issuer, rows, link))
  return [
    route('POST /api/v1/admin/users/{userId}/recovery', 'users:recover', recovery),

    route('POST /auth/sign-up', 'public', auth.signUp),
    route('POST /auth/sign-up/confirm', 'public', auth.confirmSignUp),
    route('POST /auth/sign-in', 'public', auth.signIn),
    route('POST /auth/sign-in/second-step', 'public', auth.completeSignIn),
    route('POST /auth/sign-in/passkey/options', 'public', auth.passkeySignInOptions),
    route('POST /auth/sign-in/passkey', 'public', auth.passkeySignIn),
    route('POST /auth/refresh', 'public', auth.refresh),
    route('POST /auth/step-up', 'caller', auth.stepUp),
    route('POST /auth/step-up/passkey/options', 'caller', auth.passkeyStepUpOptions),
    route('POST /auth/sign-out', 'caller', auth.signOut),
    route('POST /auth/sign-out-everywhere', 'caller', auth.signOutEverywhere),
    route('GET /auth/devices', 'caller', auth.listDevices),
    route('DELETE /auth/devices/{deviceId}', 'caller', auth.removeDevice),
    route('GET /auth/sessions', 'caller', auth.listSessions),
    route('DELETE /auth/sessions/{sessionId}', 'caller', auth.endSession),
    route('PUT /auth/current-organization', 'caller', auth.chooseOrganization),
    route('PUT /auth/password', 'caller', auth.changePassword),
    route('POST /auth/email', 'caller', auth.requestEmailChange),
    route('DELETE /auth/email', 'caller', auth.withdrawEmailChange),
    route('POST /auth/email/confirm', 'public', auth.confirmEmailChange),
    route('POST /auth/email/undo', 'public', auth.undoEmailChange),
    route('GET /auth/account', 'caller', auth.readOwnAccount),
    route('PATCH /auth/account', 'caller', auth.changeOwnAccount),
    route('GET /auth/account/export', 'caller', auth.exportOwnAccount),
    route('POST /auth/account/erase', 'caller', auth.eraseOwnAccount),
    route('POST /auth/account/keep', 'public', auth.keepOwnAccount),
    route('GET /auth/factors', 'caller', auth.listFactors),
    route('POST /auth/factors', 'caller', auth.enrolFactor),
    route('POST /auth/factors/{factorId}/verify', 'caller', auth.verifyFactor),
    route('PATCH /auth/factors/{factorId}', 'caller', auth.renameFactor),
    route('POST /auth/factors/{factorId}/remove', 'caller', auth.removeFactor),
    route('POST /auth/recovery-codes', 'caller', auth.renewRecoveryCodes),
    route('POST /auth/passkeys/options', 'caller', auth.passkeyOptions),
    route('POST /auth/passkeys', 'caller', auth.addPasskey),
    route('POST /auth/recovery', 'public', auth.requestRecovery),
    route('POST /auth/links/inspect', 'public', auth.inspectLink),
    route('POST /auth/recovery/complete', 'public', auth.completeRecovery),
    route('GET /auth/link', 'public', auth.linkPage),
    route('GET /auth/link/page.js', 'public', auth.linkScript),
    route('GET /auth/link/page.css', 'public', auth.linkStyle),
    route('GET /.well-known/openid-configuration', 'public', auth.discovery),
    route('GET /.well-known/jwks.json', 'public', auth.keySet),
    ...(hasRelatedOrigins ? [route('GET /.well-known/webauthn', 'public', auth.relatedOrigins)] : []),
  ]
}

export function buildApp(parts: Parts): FastifyInstance {
  const { server, log, monitoring } = parts
  const operations = operationsOf(parts)
  const methodsAt = methodsOf(operations)
  const app = newServer(server, { log, countRequest: monitoring.metrics.countRequest }, methodsAt)
  if (server.allowedOrigins.length > 0)
    allowOrigins(app, {
      origins: server.allowedOrigins,
      methodsAt,
      closedPaths: ['/webhooks/', '/metrics', '/console/'],
    })
  mount(app, parts.access, allContracts, operations)
  return app
}

function documentOf(operations: readonly Operation[], { keyChecks: { keyChecks } }: Parts): object {
  return openapiDocument(
    operations.map(({ contract }) => contract),
    packageVersion(),
    { providers: keyChecks.providers(), messages: allMessages },
  )
}
