import type { Aal } from './level.ts'

/** Who a verified token says is calling. It says nothing of what they may do: that is read from the database on every call. */
export interface Caller {
  /** The issuer's name in the table `identity`. */
  readonly issuer: string
  readonly subject: string
  /** The session claim, for telling the first session of an account from later ones. */
  readonly session?: string
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
  /** Whether an unknown subject of this issuer becomes an account. */
  readonly provisions: boolean
}

/** Stands for the person in counters. */
export const subjectKeyOf = onceForEach(({ issuer, subject }: Caller) => JSON.stringify([issuer, subject]))

/** Stands in caches for everything above that an answer may depend on. */
export const sessionKeyOf = onceForEach(({ issuer, subject, session, ownSessionId, aal }: Caller) =>
  JSON.stringify([issuer, subject, session, ownSessionId, aal]),
)

/** The same text each time for the same object: a map finds it at once, where it would have to read a new one whole. */
function onceForEach<T extends object>(make: (one: T) => string): (one: T) => string {
  const made = new WeakMap<T, string>()
  return (one) => {
    const known = made.get(one)
    if (known !== undefined) return known
    const text = make(one)
    made.set(one, text)
    return text
  }
}
