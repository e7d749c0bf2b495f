import type { UserCaller } from '../../platform/http/caller.ts'
import { refuse } from '../../platform/problems.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { mintAccessToken, type TokenSession, tokenSessionColumns } from './access-tokens.ts'
import type { AccessToken } from './contract.ts'
import { writeInSession } from './current-session.ts'

/**
 * Chooses the current organization of the caller's session, or with null returns to the one joined first. Returns an
 * access token that names the current organization.
 * Problems: those of `readCurrentSession`, `organization_unknown` if the caller is not a member.
 */
export async function chooseOrganization(
  { database, keys, settings, now }: BuiltInIssuer,
  caller: UserCaller,
  orgId: string | null,
): Promise<AccessToken> {
  const session = await writeInSession(database, caller, async (rows, { accountId, sessionId }) => {
    const [chosen] = await rows.query<TokenSession>(chooseStatement, [sessionId, accountId, orgId])
    return chosen ?? refuse('organization_unknown', { accountId })
  })
  return mintAccessToken(keys, settings, session, now)
}

/**
 * $1 session, $2 account, $3 organization or null. The lock keeps the organization from being deleted before the
 * session refers to it.
 */
const chooseStatement = {
  name: 'session_choose_organization',
  text: `
with chosen as (
  select o.id
  from membership m join organization o on o.id = m.organization_id
  where m.account_id = $2 and m.organization_id = $3::uuid
  for key share of o
)
update session s set organization_id = (select id from chosen)
where s.id = $1 and ($3::uuid is null or exists (select from chosen))
returning ${tokenSessionColumns}`,
}
