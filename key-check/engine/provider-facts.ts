/**
 * The provider rejects a new credential until all its servers know it. So `retry(invalid(…))` waits before the second call, and the rejection
 * is soon forgotten.
 */
export interface NewKeys {
  /** The longest time that was reported. */
  readonly settlesAfterMs: number
  readonly source: string
}

/** After a wrong secret of an ID, the provider rejects every other secret of this ID with `wrong_part`, even the right one. */
export interface RivalSecretsFacts {
  /** The part that is the ID. */
  readonly part: string
  /** For so long. */
  readonly afterMs: number
  readonly source: string
}

/** What the call that decides needs, and how its answer grows with the account. */
export interface FirstRead {
  /** The provider's name of the permission. If it is missing, any genuine key may make the call. */
  readonly needs?: string
  readonly grows: 'never' | 'with one zone' | 'with all zones'
}

export interface DocumentedRate {
  readonly calls: number
  readonly seconds: number
  readonly source: string
}
