import type { Rows } from '../platform/database/database.ts'
import { normalizeEmail } from '../platform/email.ts'
import { refuse } from '../platform/problems.ts'
import { opaqueTokenHash, type Secret } from '../platform/secret.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { requestSignUp } from './links/mail-requests.ts'
import { consumeSignUpLink, findSignUpLink, type RedeemedInvitation, redeemInvitation } from './links/sign-up-links.ts'
import { hashingLane } from './passwords/hashing-queue.ts'
import { displaceUnverified, insertPasswordAccount } from './passwords/password-accounts.ts'
import { refuseMember, requireAcceptablePassword } from './passwords/password-rules.ts'
import { hashPassword } from './passwords/passwords.ts'
import { type Client, recordOwn } from './sessions/client.ts'
import type { SignedIn } from './sessions/contract.ts'
import { issueSignIn, type SignInSession, startSession } from './sessions/open-session.ts'

interface SignUp {
  readonly email: string
  /** Absent if a mailed link verifies the email first: the owner of the mailbox then chooses the password. */
  readonly password?: Secret | undefined
  readonly invitation?: Secret | undefined
  /** Without it, the name in the invitation. */
  readonly displayName?: string | undefined
  readonly opensSession: boolean
}

/** The tokens of the session, or `created` without a session, or `link_mailed`, which is the same for every email. */
type SignUpResult = SignedIn | 'created' | 'link_mailed'

/**
 * Creates an account with a password if `MUSTER_SIGN_UP` allows it, and opens a session unless `opensSession` is false.
 * If the service sends mail, an email without an invitation gets a link first.
 * Problems: `sign_up_refused`, the same for a taken or reserved email and an invalid invitation, after the same work;
 * `input_invalid` for an unacceptable password, and for a password or a name that belongs to the mailed link.
 */
export async function signUp(issuer: BuiltInIssuer, wanted: SignUp, client: Client): Promise<SignUpResult> {
  const { outbox, settings } = issuer
  const { email, password, invitation, displayName } = wanted
  if (settings.signUp === 'closed' || (settings.signUp === 'invitation' && !invitation)) refuseSignUp(issuer)
  if (!outbox || invitation)
    return signUpWithPassword(issuer, { ...wanted, password: password ?? refuseMissing() }, client)
  if (password) refuseMember('/password', 'must be chosen with the mailed link')
  if (displayName !== undefined) refuseMember('/displayName', 'must be sent with the mailed link')
  await requestSignUp(issuer, email, client)
  return 'link_mailed'
}

/**
 * Creates the account of a mailed link, and opens a session unless `opensSession` is false. The link verifies the
 * email.
 * Problems: `link_invalid`, for every reason; `sign_up_refused` if sign-up is not open any more; `input_invalid`.
 */
export async function confirmSignUp(
  issuer: BuiltInIssuer,
  {
    token,
    password,
    displayName,
    opensSession,
  }: Pick<SignUp, 'displayName' | 'opensSession'> & { readonly token: Secret; readonly password: Secret },
  client: Client,
): Promise<SignedIn | 'created'> {
  const { database, settings } = issuer
  if (settings.signUp !== 'open') refuseSignUp(issuer)
  const hash = opaqueTokenHash(token.open())
  const email = (await findSignUpLink(database, hash)) ?? refuse('link_invalid')
  const passwordHash = await acceptableHash(issuer, email, password, client)
  const started = await database.transaction(async (rows) => {
    if (!(await consumeSignUpLink(rows, hash))) refuse('link_invalid')
    await displaceUnverified(rows, email)
    const account = { email, passwordHash, roleId: 'user', displayName, provedBy: 'link' } as const
    const accountId = (await insertPasswordAccount(rows, account)) ?? refuse('link_invalid')
    return completeSignUp(issuer, rows, { accountId, opensSession }, client)
  })
  return started ? issueSignIn(issuer, started) : 'created'
}

async function signUpWithPassword(
  issuer: BuiltInIssuer,
  { email, password, invitation, displayName, opensSession }: SignUp & { readonly password: Secret },
  client: Client,
): Promise<SignedIn | 'created'> {
  const { database } = issuer
  const normalized = normalizeEmail(email)
  const passwordHash = await acceptableHash(issuer, normalized, password, client)
  const started = await database.transaction(async (rows) => {
    const invited = invitation ? await redeemOrRefuse(rows, issuer, normalized, invitation) : undefined
    const { roleId = 'user', provesEmail = false } = invited ?? {}
    if (provesEmail) await displaceUnverified(rows, normalized)
    const account = {
      email: normalized,
      passwordHash,
      roleId,
      displayName: displayName ?? invited?.displayName ?? undefined,
      provedBy: provesEmail ? 'invitation' : undefined,
    } as const
    // A rejection rolls the transaction back, so that the invitation stays unused.
    const accountId = (await insertPasswordAccount(rows, account)) ?? refuseSignUp(issuer)
    return completeSignUp(issuer, rows, { accountId, opensSession }, client)
  })
  return started ? issueSignIn(issuer, started) : 'created'
}

async function acceptableHash(
  { settings, hashing, breached }: BuiltInIssuer,
  email: string,
  password: Secret,
  client: Client,
): Promise<string> {
  await requireAcceptablePassword(password, email, { rules: settings, breached, pointer: '/password' })
  return hashing.run(hashingLane(client), () => hashPassword(password))
}

async function completeSignUp(
  issuer: BuiltInIssuer,
  rows: Rows,
  { accountId, opensSession }: { readonly accountId: string; readonly opensSession: boolean },
  client: Client,
): Promise<SignInSession | undefined> {
  await recordOwn(rows, { action: 'account.signed_up', accountId, client })
  if (!opensSession) return undefined
  // No other transaction sees the new account yet, so there is nothing to check again.
  return startSession(issuer, rows, { accountId, erasesAt: null }, { amr: ['pwd'], client })
}

function refuseMissing(): never {
  return refuseMember('/password', 'is missing')
}

async function redeemOrRefuse(
  rows: Rows,
  issuer: BuiltInIssuer,
  email: string,
  invitation: Secret,
): Promise<RedeemedInvitation> {
  return (await redeemInvitation(rows, email, invitation)) ?? refuseSignUp(issuer)
}

/** Depends only on the setting, so that it reveals nothing about the email. */
function refuseSignUp({ settings }: BuiltInIssuer): never {
  return refuse('sign_up_refused', { detail: refusals[settings.signUp] })
}

const refusals = {
  open: 'An account cannot be created for this email. If the email is yours, sign in.',
  invitation: 'Sign-up needs an unused, unexpired invitation to this email.',
  closed: 'Sign-up is closed. Ask an administrator for an account.',
} as const
