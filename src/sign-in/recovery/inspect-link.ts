import { opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import { findSignUpLink } from '../addresses/sign-up-links.ts'
import type { InspectedLink } from '../contract/recovery.ts'
import { listFactorNames } from '../factors/factor-rows.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { promptForPasskey } from '../passkeys/show-passkey.ts'
import { findInvitation } from '../sign-up-invitations.ts'
import { type AccountLink, findAccountLink } from './account-links.ts'
import { needsFactor } from './complete-recovery.ts'

/** What a link is good for, and for whom. It stays as it is. Problem: `link_invalid`. */
export async function inspectLink(issuer: BuiltInIssuer, token: Secret): Promise<InspectedLink> {
  const { database } = issuer
  const hash = opaqueTokenHash(token.open())
  const link = await findAccountLink(database, hash)
  if (!link) {
    const signsUp = await findSignUpLink(database, hash)
    if (signsUp !== undefined) return { purpose: 'sign_up', email: signsUp, ...withoutFactor }
    const email = (await findInvitation(database, hash)) ?? refuse('link_invalid')
    return { purpose: 'invitation', email, ...withoutFactor }
  }
  const { accountId, purpose } = link
  if (!(await needsFactor(database, link))) return { purpose, ...addressesOf(link), ...withoutFactor }
  const factors = await listFactorNames(database, accountId)
  const passkey = await promptForPasskey(issuer, database, factors, { purpose: 'recovery', accountId })
  return { purpose, email: link.email, needsFactor: true, factors, ...passkey }
}

const withoutFactor: Pick<InspectedLink, 'needsFactor' | 'factors'> = { needsFactor: false, factors: [] }

/** What the reader of the mail may know: who has the new address not the present one, before the change. */
function addressesOf({
  purpose,
  email,
  address,
  awaitsOther,
}: AccountLink): Pick<InspectedLink, 'email' | 'newEmail' | 'awaitsOther'> {
  if (purpose === 'email_change_old' && address !== null) return { email, newEmail: address, awaitsOther }
  if (purpose === 'email_change' && address !== null) return { email: address, awaitsOther }
  return { email: purpose === 'email_undo' && address !== null ? address : email }
}
