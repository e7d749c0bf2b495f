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
  readonly email?: string
  /** Whether the issuer is trusted for addresses and calls this one verified. */
  readonly emailTrusted: boolean
  /** Whether an unknown subject of this issuer becomes an account. */
  readonly provisions: boolean
}
