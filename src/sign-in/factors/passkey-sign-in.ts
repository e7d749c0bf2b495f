import { recordAudit } from '../../platform/audit/audit.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { lockProvedAccount } from '../proved-account.ts'
import { emptyCodeBucket } from '../sessions/account-buckets.ts'
import { type Client, originOf } from '../sessions/client.ts'
import type { SignedIn } from '../sessions/contract.ts'
import { issueSignIn, startSession } from '../sessions/sessions.ts'
import { createChallenge, refuseErasing } from './challenges.ts'
import { findPasskey } from './passkey-rows.ts'
import type { AssertionCredential } from './proof-contract.ts'
import { showPasskey } from './show-passkey.ts'

/**
 * Opens a session of two factors: the passkey, and the user whom its authenticator has recognised. Signatures cannot be guessed, so
 * that no bucket is charged. Problems: `passkeys_unavailable`; `passkey_refused`, for every reason; `account_erasing` after the right answer.
 */
export async function signInWithPasskey(
  issuer: BuiltInIssuer,
  { credential, deviceToken }: { readonly credential: AssertionCredential; readonly deviceToken?: Secret | undefined },
  client: Client,
): Promise<SignedIn> {
  if (!issuer.settings.passkeys) refuse('passkeys_unavailable')
  const shown = await showPasskey(issuer, credential, { purpose: 'sign_in' }, client)
  if (!shown) return refusePasskey(issuer, credential, client)
  const outcome = await issuer.database.transaction(async (rows) => {
    const account = await lockProvedAccount(rows, shown.passkey)
    if (!account || !(await shown.consume(rows))) return undefined
    const { accountId, erasesAt } = account
    if (erasesAt !== null) return { erasesAt, keep: await createChallenge(issuer, rows, account, ['pop', 'user']) }
    await emptyCodeBucket(rows, accountId)
    return startSession(issuer, rows, account, { amr: ['pop', 'user', 'mfa'], client, deviceToken })
  })
  if (!outcome) return refusePasskey(issuer, credential, client)
  return 'keep' in outcome ? refuseErasing(outcome.keep, outcome.erasesAt) : issueSignIn(issuer, outcome)
}

async function refusePasskey({ database }: BuiltInIssuer, { id }: AssertionCredential, client: Client): Promise<never> {
  const passkey = await findPasskey(database, id)
  const target = passkey && ({ kind: 'account', id: passkey.accountId } as const)
  await recordAudit(database, { action: 'session.refused', target, ...originOf(client), details: { step: 'passkey' } })
  return refuse('passkey_refused')
}
