import type { Rows } from '../platform/database/database.ts'

/**
 * Deletes organizations with their memberships, invitations and service keys. Their customers stay for the books and
 * lose their owner: only an administrator or an operator can link one again. Call it in a transaction that has locked
 * the organizations.
 */
export async function deleteOrganizations(rows: Rows, ids: readonly string[]): Promise<void> {
  await rows.query(customersStatement, [ids])
  await rows.query(deleteStatement, [ids])
}

/**
 * SQL condition for `subscription s` of `customer c`. Only canceled and expired subscriptions count as ended; an unknown
 * status of a processor does not.
 */
export const hasNotEnded = `c.deleted_at is null and s.status not in ('canceled', 'incomplete_expired')`

const customersStatement = {
  name: 'organizations_release_customers',
  text: `
update customer
set organization_id = null, erased_at = now(), claim_kind = null, claim_value = null, claim_rank = null, claim_at = null
where organization_id = any ($1::uuid[])`,
}

const deleteStatement = { name: 'organizations_delete', text: 'delete from organization where id = any ($1::uuid[])' }
