import type { NodeLimit } from '../rate-limits.ts'

/** Who is calling. The gate (src/identity/gate.ts) determines it before the handler runs. `key` identifies the caller in counters. */
export type Caller = UserCaller | ActingCaller | ServiceCaller

/**
 * A user, as described by a verified token. Permissions are not included: each call reads them from the database. Verified tokens are
 * cached, so several requests share one object.
 */
export interface UserCaller {
  readonly kind: 'user'
  /** Issuer and subject in one string. */
  readonly key: string
  /** The issuer's name in the table `identity`. */
  readonly issuer: string
  readonly subject: string
  /** The session claim. Distinguishes the first session of an account from later ones. */
  readonly session?: string
  /** Set if the token has no session claim: its expiry identifies the first session. Milliseconds since 1970. */
  readonly tokenExpiresAtMs?: number
  /** Set if the built-in issuer opened the session. */
  readonly ownSessionId?: string
  /** When the token was issued, in milliseconds since 1970. */
  readonly issuedAtMs?: number
  /** The organization that a token of another issuer names. It counts only if the user is a member. */
  readonly organizationId?: string
  /** Level of the session, if another issuer maps it. The level of a built-in session is in the database. */
  readonly aal?: Aal
  /** When the user authenticated, if another issuer maps it. Milliseconds since 1970. */
  readonly authenticatedAtMs?: number
  readonly email?: string
  /** The name of the user, if the issuer is trusted for it. As stored. */
  readonly displayName?: string
  /** True if the issuer is trusted for emails and says that this one is verified. */
  readonly emailTrusted: boolean
  /** Set if subjects of the issuer with the same verified email share an account. */
  readonly joinSubjects?: true
  /** Whether Muster creates an account for an unknown subject of this issuer. */
  readonly provisions: boolean
  /** Limits new accounts of this issuer per minute. */
  readonly newAccounts?: Pick<NodeLimit, 'take'>
  /** Set once the gate has read the account, because the operation requires a permission. */
  readonly accountId?: string
}

/** A user whose account the gate has read. */
export type KnownUser = UserCaller & { readonly accountId: string }

/** An administrator acting as a user, read-only and without a session of that user. See docs/decisions/callers.md. */
export interface ActingCaller {
  readonly kind: 'acting'
  /** That of the operator. */
  readonly key: string
  readonly operator: KnownUser
  /** The user as whom the administrator reads. */
  readonly accountId: string
}

/** A program with a service key. It has no account and no session. */
export interface ServiceCaller {
  readonly kind: 'service'
  readonly key: string
  readonly keyId: string
  /** Set if the key can only access this organization. */
  readonly organizationId?: string
}

/** Authenticator assurance levels of NIST SP 800-63B: 1 is one factor, 2 is two. */
export type Aal = 1 | 2

/**
 * Members that identify the caller in a log line: the account, else issuer and subject; or the service key. ASVS 16.2.1 and 16.3.2 require
 * this for every rejected request, even if the response is 404.
 */
export function loggedCaller(caller: Caller): object {
  if (caller.kind === 'service') return { serviceKey: caller.keyId }
  const { accountId, issuer, subject } = caller.kind === 'user' ? caller : caller.operator
  return accountId === undefined ? { issuer, subject } : { account: accountId }
}
