import { type AccountRow, callerRead, callerValues, requireAccount } from '../identity/account.ts'
import { requireGrant } from '../identity/authorize.ts'
import { sourcesOf, withRules } from '../identity/permissions.ts'
import { shownFirst } from '../identity/subscriptions.ts'
import type { Rows } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import { refuse } from '../platform/problems.ts'
import { claimRanks } from './events.ts'

/** The user that pays, or its organization. */
export interface Payer {
  readonly accountId: string
  readonly organizationId?: string
  readonly email?: string
  /**
   * The customer with the best subscription, then the newest; absent before the first purchase. Never a customer whose owner was named only
   * by a reference that the payer may have written: its portal shows the real payer's invoices and addresses.
   */
  readonly customerId?: string
  /** The subscription with a plan that is in force; one of this processor comes first. Never one of such a customer. */
  readonly subscription?: { readonly id: string; readonly customerId: string; readonly processor: string }
}

const managePermission = { resource: 'billing', action: 'manage' } as const

/**
 * The caller, or with `orgId` one of the caller's organizations, as a payer. Runs one statement. Throws the problems of `requireAccount`,
 * `organization_unknown`, and for an organization `permission_missing` and `step_up_required`.
 */
export async function readPayer(rows: Rows, caller: UserCaller, processor: string, orgId?: string): Promise<Payer> {
  const values = [...callerValues(caller, orgId), processor]
  const { row, rules } = await withRules(rows, () =>
    requireAccount(rows, caller, async () => (await rows.query<PayerRow>(payerStatement, values))[0]),
  )
  const { account_id: accountId } = row
  if (orgId !== undefined) {
    if (row.organization_id === null) refuse('organization_unknown', { accountId })
    requireGrant(managePermission, sourcesOf(row, rules), { accountId, isInOrganization: true })
  }
  return {
    accountId,
    ...(orgId !== undefined && { organizationId: orgId }),
    ...(row.email !== null && { email: row.email }),
    ...(row.customer_id !== null && { customerId: row.customer_id }),
    ...(row.current !== null && { subscription: row.current }),
  }
}

interface PayerRow extends AccountRow {
  readonly email: string | null
  readonly customer_id: string | null
  readonly current: NonNullable<Payer['subscription']> | null
}

/** Customers `c` of the payer that the processor's pages may use. */
const isOfPayer = `c.deleted_at is null and c.claim_rank is distinct from ${claimRanks.reference}
          and case when $4::uuid is null then c.account_id = a.id else c.organization_id = $4 end`

/** $1 to $6 as in `callerRead`, $7 the payment processor. */
const payerStatement = {
  name: 'payer',
  text: callerRead(`,
       a.email,
       (select c.id
        from customer c
        left join subscription_with_plan s on s.customer_id = c.id
        where ${isOfPayer} and c.processor = $7
        order by s.is_in_force desc nulls last, s.created_at desc nulls last, c.id
        limit 1) as customer_id,
       (select json_build_object('id', s.id, 'customerId', c.id, 'processor', c.processor)
        from customer c
        join subscription_with_plan s on s.customer_id = c.id
        where ${isOfPayer} and s.is_in_force and s.plan_id is not null
        order by c.processor = $7 desc, ${shownFirst}
        limit 1) as current`),
}
