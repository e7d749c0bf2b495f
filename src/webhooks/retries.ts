/** Seconds after the first, the second and each further failed try: ten tries within 76 hours. The schedule is that of Standard Webhooks. */
export const pausesSeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

/** A receiver may ask for more time than the schedule has, up to a day. */
const retryAfterSecondsMax = 86_400
/** A fifth of the pause at most, so that what failed together does not come back together. */
const jitter = 0.2

/** Seconds until the next try, after the `tries`-th has failed; `undefined` after the last one. */
export function pauseAfter(
  tries: number,
  {
    retryAfterSeconds = 0,
    random = Math.random(),
  }: { readonly retryAfterSeconds?: number | undefined; readonly random?: number } = {},
): number | undefined {
  const pause = pausesSeconds[tries - 1]
  if (pause === undefined) return undefined
  return Math.max(pause * (1 + jitter * random), Math.min(retryAfterSeconds, retryAfterSecondsMax))
}
