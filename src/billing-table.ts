import { billingAdministration, billingSync } from './billing/admin-routes.ts'
import type { Billing } from './billing/billing.ts'
import { checkoutOperations, webhooks } from './billing/routes.ts'
import type { BillingSettings } from './billing/status.ts'
import { route } from './identity/mount.ts'
import type { Operation } from './identity/operation.ts'
import type { Database } from './platform/database/database.ts'

interface BillingParts {
  readonly database: Database
  readonly billing?: Billing | undefined
  readonly billingSettings: BillingSettings
}

/** The part of the table in app.ts that is about billing. */
export function billingTable({ database, billing, billingSettings }: BillingParts): readonly Operation[] {
  const admin = billingAdministration(database, billingSettings, billing)
  return [
    route('GET /api/v1/admin/users/{userId}/subscriptions', 'subscriptions:read', admin.userSubscriptions),
    route('GET /api/v1/admin/billing', 'subscriptions:read', admin.status),
    route('POST /api/v1/admin/billing/customers/{customerId}/confirm', 'subscriptions:manage', admin.confirm),
    route('PUT /api/v1/admin/billing/customers/{customerId}/owner', 'subscriptions:manage', admin.link),
    route('PUT /api/v1/admin/billing/prices/{priceId}/plan', 'subscriptions:manage', admin.mapPrice),
    route('DELETE /api/v1/admin/billing/prices/{priceId}/plan', 'subscriptions:manage', admin.unmapPrice),
    ...(billing ? processorTable(database, billing) : []),
  ]
}

/** Payment processors sign what they send; buying is offered where one of them has pages for it. */
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
