import { recordAudit } from '../platform/audit/audit.ts'
import type { Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import type { Secret } from '../platform/secret.ts'
import type { SignedIn } from './contract/tokens.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { displaceUnproved, insertPasswordAccount, normalizeEmail } from './passwords/password-accounts.ts'
import { requireAcceptablePassword } from './passwords/password-rules.ts'
import { hashPassword } from './passwords/passwords.ts'
import { type Client, originOf } from './sessions/client.ts'
import { issueSignIn, startSession } from './sessions/sessions.ts'
import { type RedeemedInvitation, redeemInvitation } from './sign-up-invitations.ts'

export interface SignUp {
  readonly email: string
  readonly password: Secret
  readonly invitation?: Secret | undefined
}

/**
 * Creates an account with a password and opens its first session, where `MUSTER_SIGN_UP` allows it.
 * Problems: `sign_up_refused`, the same for a taken or reserved address and an invalid invitation, after the same work; `input_invalid` for an
 * unacceptable password.
 */
export async function signUp(
  issuer: BuiltInIssuer,
  { email, password, invitation }: SignUp,
  client: Client,
): Promise<SignedIn> {
  const { database, settings, breached } = issuer
  if (settings.signUp === 'closed' || (settings.signUp === 'invitation' && !invitation)) refuseSignUp(issuer)
  const normalized = normalizeEmail(email)
  await requireAcceptablePassword(password, normalized, { rules: settings, breached, pointer: '/password' })
  const lane = { isKnown: false, network: client.networks.at(-1) } as const
  const passwordHash = await issuer.hashing.run(lane, () => hashPassword(password))
  const started = await database.transaction(async (rows) => {
    const invited = invitation ? await redeemOrRefuse(rows, issuer, normalized, invitation) : undefined
    const { roleId = 'user', provesEmail = false } = invited ?? {}
    if (provesEmail) await displaceUnproved(rows, normalized)
    const account = {
      email: normalized,
      passwordHash,
      roleId,
      provedBy: provesEmail ? 'invitation' : undefined,
    } as const
    // A refusal rolls the transaction back, and the invitation stays unused.
    const accountId = (await insertPasswordAccount(rows, account)) ?? refuseSignUp(issuer)
    const target = { kind: 'account', id: accountId } as const
    await recordAudit(rows, { action: 'account.signed_up', actorId: accountId, target, ...originOf(client) })
    return startSession(issuer, rows, { accountId, amr: ['pwd'], client })
  })
  return issueSignIn(issuer, started)
}

async function redeemOrRefuse(
  rows: Rows,
  issuer: BuiltInIssuer,
  email: string,
  invitation: Secret,
): Promise<RedeemedInvitation> {
  return (await redeemInvitation(rows, email, invitation)) ?? refuseSignUp(issuer)
}

/** The detail depends on the setting alone, so that it reveals nothing about the address. */
function refuseSignUp({ settings }: BuiltInIssuer): never {
  return refuse('sign_up_refused', { detail: refusals[settings.signUp] })
}

const refusals = {
  open: 'An account cannot be created for this address. If the address is yours, sign in.',
  invitation: 'Sign-up needs an unused, unexpired invitation to this address.',
  closed: 'Sign-up is closed. Ask an administrator for an account.',
} as const
