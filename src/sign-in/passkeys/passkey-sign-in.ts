import { recordAudit } from '../../platform/audit/audit.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { AssertionCredential } from '../contract/passkey-credentials.ts'
import type { SignedIn } from '../contract/tokens.ts'
import { emptyCodeBucket } from '../guessing/account-buckets.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { askToKeep } from '../own-account/keep-account.ts'
import { isPasswordExpired } from '../passwords/password-accounts.ts'
import { type Client, originOf } from '../sessions/client.ts'
import { issueSignIn, startSession } from '../sessions/sessions.ts'
import { findPasskey } from './passkey-rows.ts'
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
  const { accountId, erasesAt } = shown.passkey
  const started = await issuer.database.transaction(async (rows) => {
    if (!(await shown.consume(rows)) || (await isPasswordExpired(rows, accountId))) return undefined
    if (erasesAt) return { accountId, erasesAt }
    await emptyCodeBucket(rows, accountId)
    return startSession(issuer, rows, { accountId, amr: ['pop', 'user', 'mfa'], client, deviceToken })
  })
  if (!started) return refusePasskey(issuer, credential, client)
  return 'erasesAt' in started ? askToKeep(issuer, started, ['pop', 'user']) : issueSignIn(issuer, started)
}

async function refusePasskey({ database }: BuiltInIssuer, { id }: AssertionCredential, client: Client): Promise<never> {
  const passkey = await findPasskey(database, id)
  const target = passkey && ({ kind: 'account', id: passkey.accountId } as const)
  await recordAudit(database, { action: 'session.refused', target, ...originOf(client), details: { step: 'passkey' } })
  return refuse('passkey_refused')
}
