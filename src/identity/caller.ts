import type { NodeLimit } from '../platform/rate-limit/rate-limits.ts'
import type { Aal } from './level.ts'

/** Who a verified token says is calling. It says nothing of what they may do: that is read from the database on every call. */
export interface Caller {
  readonly kind: 'account'
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
}

/** A service key as it was shown: well-formed. Whether there is such a key, and what it may do, is read on every call. */
export interface ShownServiceKey {
  readonly kind: 'service'
  readonly hash: Buffer
}

/** A program that calls by a service key. It is no account, and has no session. */
export interface ServiceCaller {
  readonly kind: 'service'
  /** Of the key. */
  readonly id: string
  /** The key reads what lies in this organisation, and nothing else. */
  readonly organizationId?: string
}

/** A user as whom an administrator reads: docs/decisions/act-as.md. There is no session of the user, and nothing is written for them. */
export interface ActedFor {
  readonly kind: 'acted'
  readonly accountId: string
}

/** Whom the gate has found in the database to have a permission that service keys can have, too. */
export type KnownCaller = { readonly kind: 'account'; readonly id: string } | ServiceCaller

/** The organisation outside of which there is nothing for this caller; none for an account, and for a key without one. */
export function confinementOf(caller: KnownCaller): string | undefined {
  return caller.kind === 'service' ? caller.organizationId : undefined
}

/** Stands for the person in counters. The same text each time for the same caller: a map finds it at once, where it would read a new one whole. */
export function subjectKeyOf(caller: Caller): string {
  const known = subjectKeys.get(caller)
  if (known !== undefined) return known
  const text = JSON.stringify([caller.issuer, caller.subject])
  subjectKeys.set(caller, text)
  return text
}

const subjectKeys = new WeakMap<Caller, string>()
