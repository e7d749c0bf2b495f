import { recordAudit } from '../platform/audit/audit.ts'
import type { Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import type { Secret } from '../platform/secret.ts'
import type { Tokens } from './contract/tokens.ts'
import { spendInvitation } from './invitations.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { requireGoodPassword } from './passwords/password-rules.ts'
import { hashPassword } from './passwords/passwords.ts'
import { insertPerson, normalizeEmail } from './people.ts'
import type { Client } from './sessions/client.ts'
import { issueTokens, originOf, startSession } from './sessions/sessions.ts'

export interface SignUp {
  readonly email: string
  readonly password: Secret
  readonly invitation?: Secret | undefined
}

/**
 * A new account with a password, and its first session, as far as the switch `MUSTER_SIGN_UP` lets people in.
 * Problems: `sign_up_refused`, the same for a taken address and for an invitation that is not good, after the same work;
 * `input_invalid` for a password that may not be taken.
 */
export async function signUp(
  issuer: BuiltInIssuer,
  { email, password, invitation }: SignUp,
  client: Client,
): Promise<Tokens> {
  const { database, settings } = issuer
  if (settings.signUp === 'closed' || (settings.signUp === 'invitation' && !invitation)) refuseSignUp(issuer)
  const name = normalizeEmail(email)
  requireGoodPassword(password, name, '/password')
  const passwordHash = await hashPassword(password)
  const started = await database.transaction(async (rows) => {
    const roleId = invitation ? await invitedRole(rows, issuer, name, invitation) : 'user'
    // Whoever is refused here has used nothing up: the transaction is rolled back.
    const accountId = (await insertPerson(rows, { email: name, passwordHash, roleId })) ?? refuseSignUp(issuer)
    const target = { kind: 'account', id: accountId } as const
    await recordAudit(rows, { action: 'account.signed_up', actorId: accountId, target, ...originOf(client) })
    return startSession(issuer, rows, { accountId, amr: ['pwd'], client })
  })
  return issueTokens(issuer, started)
}

async function invitedRole(rows: Rows, issuer: BuiltInIssuer, email: string, invitation: Secret): Promise<string> {
  return (await spendInvitation(rows, email, invitation)) ?? refuseSignUp(issuer)
}

/** One sentence for each switch: it says what the switch lets in, and nothing about an address. */
function refuseSignUp({ settings }: BuiltInIssuer): never {
  return refuse('sign_up_refused', { detail: refusals[settings.signUp] })
}

const refusals = {
  open: 'No account can be made for this address. If it is yours, sign in.',
  invitation: 'An invitation to this address is needed: one that was not used and is not too old.',
  closed: 'Nobody signs up here by themselves. Ask an administrator.',
} as const
