export function recordRelease(version: string): readonly string[]
export function changesSinceRelease(): {
  readonly version: string | undefined
  readonly changes: readonly string[]
  readonly areSomeIntended: boolean
}
