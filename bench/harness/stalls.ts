/** Times when this process could not run: its event loop was busy, or another process had its core. */
interface Stalls {
  /** Milliseconds of stalls between two times of `performance.now()`. */
  msBetween(fromMs: number, toMs: number): number
  longestMs(): number
  stop(): void
}

const tickMs = 5
/** A tick later than this is a stall. */
const toleranceMs = 15

export function watchStalls(): Stalls {
  const found: { readonly fromMs: number; readonly toMs: number }[] = []
  let lastMs = performance.now()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    if (nowMs - lastMs > tickMs + toleranceMs) found.push({ fromMs: lastMs + tickMs, toMs: nowMs })
    lastMs = nowMs
  }, tickMs)
  return {
    msBetween: (fromMs, toMs) =>
      found.reduce((sum, one) => sum + Math.max(0, Math.min(one.toMs, toMs) - Math.max(one.fromMs, fromMs)), 0),
    longestMs: () => Math.max(0, ...found.map(({ fromMs, toMs }) => toMs - fromMs)),
    stop: () => clearInterval(timer),
  }
}
