/**
 * Failed keys and the places of running checks, by share: of a caller, a network or a whole provider. Times are milliseconds since 1970.
 */
export interface FailureCounts {
  /** Reserves the places in every share, or in none. */
  take(request: PlaceRequest): Promise<Taken>
  /** Counts failures and frees places. Resolves to the failures of each share in its window. */
  record(changes: readonly ShareChange[]): Promise<readonly number[]>
  /** Stores the outcome of a failed key. */
  remember(key: FailedKey): Promise<void>
}

export interface PlaceRequest {
  /** A keyed hash of the credential. */
  readonly digest: string
  readonly shares: readonly PlacesInShare[]
  /** A share whose failures are returned, without reserving places. */
  readonly provider: string
}

export interface PlacesInShare {
  readonly share: string
  readonly places: number
  /** Maximum of failures plus places. */
  readonly max: number
}

export interface Taken {
  readonly isHeld: boolean
  /** When each failure leaves the window, earliest first, in the order of the request. */
  readonly shares: readonly (readonly number[])[]
  readonly provider: readonly number[]
  /** Set if the key failed within the window. */
  readonly known?: Pick<FailedKey, 'outcome' | 'checkedAtMs' | 'askedBy'>
}

export interface ShareChange {
  readonly share: string
  readonly failures: number
  readonly freedPlaces: number
  /** When the failures leave the window. */
  readonly endsAtMs: number
}

export interface FailedKey {
  readonly digest: string
  /** A keyed hash of the credential and the caller whose check failed. */
  readonly askedBy: string
  /** Opaque JSON. */
  readonly outcome: object
  readonly checkedAtMs: number
  readonly endsAtMs: number
}
