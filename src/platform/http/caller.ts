import type { NodeLimit } from '../rate-limit/rate-limits.ts'

/** Who is calling, as the gate found out before the operation runs. Operations without a caller have none. */
export type Caller = UserCaller | ActingCaller | ServiceCaller

/**
 * A user, as a verified token says. It says nothing of what they may do: that is read from the database on every call. Tokens verified a
 * moment ago are kept, so the same object serves several requests.
 */
export interface UserCaller {
  readonly kind: 'user'
  /** Issuer and subject as one text, for counters. */
  readonly key: string
  /** The issuer's name in the table `identity`. */
  readonly issuer: string
  readonly subject: string
  /** The session claim, for telling the first session of an account from later ones. */
  readonly session?: string
  /** Set where the token names no session: the first such token stands for the first session. Milliseconds since 1970. */
  readonly tokenExpiresAtMs?: number
  /** Set where the built-in issuer opened the session: a row that can be ended at any moment. */
  readonly ownSessionId?: string
  /** When the token was made, milliseconds since 1970. */
  readonly issuedAtMs?: number
  /** Of another issuer that maps it: the level of its session. The level of an own session is in the database. */
  readonly aal?: Aal
  /** Of another issuer that maps it: when the user authenticated, milliseconds since 1970. */
  readonly authenticatedAtMs?: number
  readonly email?: string
  /** Whether the issuer is trusted for addresses and calls this one verified. */
  readonly emailTrusted: boolean
  /** Set where subjects of the issuer with one verified address share an account. */
  readonly joinSubjects?: true
  /** Whether an unknown subject of this issuer becomes an account. */
  readonly provisions: boolean
  /** How many accounts may come from tokens of this issuer in a minute. */
  readonly newAccounts?: Pick<NodeLimit, 'take'>
  /** Set once the gate has read the account, because the operation needs a permission. */
  readonly accountId?: string
}

/** A user whose account the gate has read. */
export type KnownUser = UserCaller & { readonly accountId: string }

/** An operator who reads as a user: docs/decisions/callers.md. There is no session of the user, and nothing is written for them. */
export interface ActingCaller {
  readonly kind: 'acting'
  readonly operator: KnownUser
  /** The user as whom the operator reads. */
  readonly accountId: string
}

/** A program that calls by a service key. It is no account, and has no session. */
export interface ServiceCaller {
  readonly kind: 'service'
  readonly keyId: string
  /** The key reads what lies in this organization, and nothing else. */
  readonly organizationId?: string
}

/** Authenticator assurance levels of NIST SP 800-63B: 1 is one factor, 2 is two. */
export type Aal = 1 | 2

/** The organization outside of which there is nothing for this caller; none for a user, and for a key without one. */
export function confinementOf(caller: UserCaller | ServiceCaller): string | undefined {
  return caller.kind === 'service' ? caller.organizationId : undefined
}

/** Stands for the caller in counters, whichever of their tokens they come with. */
export function counterKeyOf(caller: Caller): string {
  if (caller.kind === 'service') return `service ${caller.keyId}`
  return caller.kind === 'user' ? caller.key : caller.operator.key
}

/**
 * The caller in a line of the log: the account, or where that is not known issuer and subject; a program by the id of its key. ASVS 16.2.1
 * and 16.3.2: the line of a refusal says who was refused, also where the answer is 404 for what the caller may not know of.
 */
export function loggedCaller(caller: Caller): object {
  if (caller.kind === 'service') return { serviceKey: caller.keyId }
  const { accountId, issuer, subject } = caller.kind === 'user' ? caller : caller.operator
  return accountId === undefined ? { issuer, subject } : { account: accountId }
}
