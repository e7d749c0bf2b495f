/** Seconds after each failed attempt: ten attempts within 76 hours. The schedule of Standard Webhooks. */
export const pausesSeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

/** A receiver may ask for more time than the schedule has, up to a day. */
const retryAfterSecondsMax = 86_400
/** Jitter of at most a fifth of the pause, so that failed deliveries do not return together. */
const jitter = 0.2

/** Seconds until the next attempt after `tries` failures; `undefined` after the last one. */
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
