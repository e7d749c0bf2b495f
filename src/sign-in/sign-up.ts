import { opaqueTokenHash } from '../identity/opaque-tokens.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import type { Secret } from '../platform/secret.ts'
import { findSignUpLink, spendSignUpLink } from './addresses/sign-up-links.ts'
import { requestSignUp } from './addresses/sign-up-requests.ts'
import type { SignedIn } from './contract/tokens.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { displaceUnproved, insertPasswordAccount, normalizeEmail } from './passwords/password-accounts.ts'
import { refuseNewPassword, requireAcceptablePassword } from './passwords/password-rules.ts'
import { hashPassword } from './passwords/passwords.ts'
import { type Client, originOf } from './sessions/client.ts'
import { issueSignIn, type SignInSession, startSession } from './sessions/sessions.ts'
import { type RedeemedInvitation, redeemInvitation } from './sign-up-invitations.ts'

export interface SignUp {
  readonly email: string
  /** Absent where a mail proves the address first: who has the mailbox chooses it. */
  readonly password?: Secret | undefined
  readonly invitation?: Secret | undefined
}

/**
 * Creates an account with a password and opens its first session, where `MUSTER_SIGN_UP` allows it. Where the service sends mail, an
 * address without an invitation gets a link first; the result is `undefined`, the same for every address.
 * Problems: `sign_up_refused`, the same for a taken or reserved address and an invalid invitation, after the same work; `input_invalid` for an
 * unacceptable password, and one where there must be none.
 */
export async function signUp(issuer: BuiltInIssuer, wanted: SignUp, client: Client): Promise<SignedIn | undefined> {
  const { outbox, settings } = issuer
  const { email, password, invitation } = wanted
  if (settings.signUp === 'closed' || (settings.signUp === 'invitation' && !invitation)) refuseSignUp(issuer)
  if (!outbox || invitation)
    return signUpWithPassword(issuer, { ...wanted, password: password ?? refuseMissing() }, client)
  if (password) refuseNewPassword('/password', 'is chosen with the link that is mailed to the address')
  await requestSignUp(issuer, email, client)
  return undefined
}

/**
 * Creates the account for which a link was mailed, and opens its first session: who has the mailbox has proved the address.
 * Problems: `link_invalid`, for whichever reason; `sign_up_refused` where sign-up is not open any more; `input_invalid`.
 */
export async function confirmSignUp(
  issuer: BuiltInIssuer,
  { token, password }: { readonly token: Secret; readonly password: Secret },
  client: Client,
): Promise<SignedIn> {
  const { database, settings } = issuer
  if (settings.signUp !== 'open') refuseSignUp(issuer)
  const hash = opaqueTokenHash(token.open())
  const email = (await findSignUpLink(database, hash)) ?? refuse('link_invalid')
  const passwordHash = await acceptableHash(issuer, email, password, client)
  const started = await database.transaction(async (rows) => {
    if (!(await spendSignUpLink(rows, hash))) refuse('link_invalid')
    await displaceUnproved(rows, email)
    const account = { email, passwordHash, roleId: 'user', provedBy: 'link' } as const
    const accountId = (await insertPasswordAccount(rows, account)) ?? refuse('link_invalid')
    return openFirstSession(issuer, rows, accountId, client)
  })
  return issueSignIn(issuer, started)
}

async function signUpWithPassword(
  issuer: BuiltInIssuer,
  { email, password, invitation }: SignUp & { readonly password: Secret },
  client: Client,
): Promise<SignedIn> {
  const { database } = issuer
  const normalized = normalizeEmail(email)
  const passwordHash = await acceptableHash(issuer, normalized, password, client)
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
    return openFirstSession(issuer, rows, accountId, client)
  })
  return issueSignIn(issuer, started)
}

async function acceptableHash(
  { settings, hashing, breached }: BuiltInIssuer,
  email: string,
  password: Secret,
  client: Client,
): Promise<string> {
  await requireAcceptablePassword(password, email, { rules: settings, breached, pointer: '/password' })
  const lane = { isKnown: false, network: client.networks.at(-1) } as const
  return hashing.run(lane, () => hashPassword(password))
}

async function openFirstSession(
  issuer: BuiltInIssuer,
  rows: Rows,
  accountId: string,
  client: Client,
): Promise<SignInSession> {
  const target = { kind: 'account', id: accountId } as const
  await recordAudit(rows, { action: 'account.signed_up', actorId: accountId, target, ...originOf(client) })
  return startSession(issuer, rows, { accountId, amr: ['pwd'], client })
}

function refuseMissing(): never {
  return refuseNewPassword('/password', 'is missing')
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
