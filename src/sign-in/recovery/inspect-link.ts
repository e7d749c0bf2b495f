import { opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { InspectedLink } from '../contract/recovery.ts'
import { listFactorNames } from '../factors/factor-rows.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { promptForPasskey } from '../passkeys/show-passkey.ts'
import { findAccountLink } from './account-links.ts'
import { needsFactor } from './complete-recovery.ts'

/** What a link is good for, and for whom. It stays as it is. Problem: `link_invalid`. */
export async function inspectLink(issuer: BuiltInIssuer, token: Secret): Promise<InspectedLink> {
  const { database } = issuer
  const link = (await findAccountLink(database, opaqueTokenHash(token.open()))) ?? refuse('link_invalid')
  const { accountId, purpose, email } = link
  if (!(await needsFactor(database, link))) return { purpose, email, needsFactor: false, factors: [] }
  const factors = await listFactorNames(database, accountId)
  const passkey = await promptForPasskey(issuer, factors, { purpose: 'recovery', accountId })
  return { purpose, email, needsFactor: true, factors, ...passkey }
}
