export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
  readonly count: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  return {
    median: round(middle),
    min: round(sorted[0] ?? middle),
    max: round(sorted.at(-1) ?? middle),
    count: sorted.length,
  }
}

export function round(value: number): number {
  return Math.round(value * 100) / 100
}
