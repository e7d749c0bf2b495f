import { type AccountState, callerTables, callerValues, requireAccount } from '../identity/account.ts'
import { refusePermission, refuseWithheld } from '../identity/authorize.ts'
import type { Caller } from '../identity/caller.ts'
import type { Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import { claimRanks } from './events.ts'

/** The account that pays, or the organisation for which it pays. */
export interface Payer {
  readonly accountId: string
  readonly organizationId?: string
  readonly email?: string
  /**
   * The customer with the best subscription, then the newest; absent before the first purchase. Never one of which only a reference that
   * the payer may have written names the owner: its portal shows the invoices and the addresses of the person who pays there.
   */
  readonly customerId?: string
}

const managePermission = { resource: 'billing', action: 'manage' } as const

/**
 * The caller as a payer to a payment processor, or with `orgId` one of the caller's organisations, by one statement.
 * Problems: those of `requireAccount`, `organization_unknown`, and for an organisation `permission_missing` and `step_up_required`.
 */
export async function readPayer(rows: Rows, caller: Caller, processor: string, orgId?: string): Promise<Payer> {
  const values = [...callerValues(caller, orgId), processor]
  const row = await requireAccount(rows, caller, async () => (await rows.query<PayerRow>(payerStatement, values))[0])
  const { account_id: accountId } = row
  if (orgId !== undefined && !row.is_member) refuse('organization_unknown', { accountId })
  if (orgId !== undefined && !row.allowed && row.withheld) refuseWithheld(accountId)
  if (orgId !== undefined && !row.allowed) refusePermission(managePermission, accountId)
  return {
    accountId,
    ...(orgId !== undefined && { organizationId: orgId }),
    ...(row.email !== null && { email: row.email }),
    ...(row.customer_id !== null && { customerId: row.customer_id }),
  }
}

interface PayerRow extends AccountState {
  readonly is_member: boolean
  readonly allowed: boolean
  readonly withheld: boolean
  readonly email: string | null
  readonly customer_id: string | null
}

/** $1 to $5 as in `callerTables`, $6 the payment processor. */
const payerStatement = {
  name: 'payer',
  text: `
with ${callerTables}
select me.id as account_id, me.disabled, me.ended, me.must_change_password,
       exists (select from home) as is_member,
       exists (select from granted where resource = '${managePermission.resource}' and action = '${managePermission.action}') as allowed,
       exists (select from given where resource = '${managePermission.resource}' and action = '${managePermission.action}' and is_withheld) as withheld,
       (select a.email from account a where a.id = me.id) as email,
       (select c.id
        from customer c
        left join subscription s on s.customer_id = c.id
        where c.deleted_at is null and c.processor = $6 and c.claim_rank is distinct from ${claimRanks.reference}
          and case when $4::uuid is null then c.account_id = me.id else c.organization_id = $4 end
        order by s.status in ('active', 'trialing', 'past_due') desc nulls last, s.created_at desc nulls last, c.id
        limit 1) as customer_id
from me`,
}
