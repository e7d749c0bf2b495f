import type { Caller } from '../access/caller.ts'
import type { Rows } from '../database/database.ts'

/**
 * Makes the account of a subject seen for the first time. Of many calls at once one makes it, and the others make nothing:
 * the identity is unique, and the foreign key from it to the account is checked at the end of the statement.
 */
export async function provision(rows: Rows, caller: Caller): Promise<void> {
  await rows.query(provisionStatement, [caller.issuer, caller.subject, caller.email ?? null, caller.session ?? null])
}

const provisionStatement = {
  name: 'provision',
  text: `
with link as (
  insert into identity (issuer, subject, account_id)
  values ($1, $2, uuid_v7())
  on conflict (issuer, subject) do nothing
  returning account_id
)
insert into account (id, email, first_session)
select account_id, $3, $4 from link`,
}
