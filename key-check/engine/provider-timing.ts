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
