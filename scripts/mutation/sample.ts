/** One that was tried, or not. */
interface Tried {
  readonly status: 'killed' | 'survived' | 'timeout' | 'equivalent' | 'not run'
}

/** Shares between 0 and 1. */
export interface Sample {
  readonly size: number
  readonly score: number
  /** The score of the whole part lies between these with a probability of 95 %. */
  readonly from: number
  readonly to: number
}

/** Below this number the score of a sample says nothing. */
const sizeMin = 50

/**
 * The score of those before the first that was not run, in an order of chance (Wilson's interval: E. B. Wilson, J. Am. Stat. Assoc. 22
 * (1927), p. 209). Nothing where all were run, or few.
 */
export function sampleOf(drawn: readonly Tried[]): Sample | undefined {
  const end = drawn.findIndex(({ status }) => status === 'not run')
  const counted = drawn.slice(0, Math.max(end, 0)).filter(({ status }) => status !== 'equivalent')
  const size = counted.length
  if (size < sizeMin) return undefined
  const score = counted.filter(({ status }) => status !== 'survived').length / size
  const z = 1.96
  const middle = score + z ** 2 / (2 * size)
  const reach = z * Math.sqrt((score * (1 - score) + z ** 2 / (4 * size)) / size)
  const bound = (value: number) => value / (1 + z ** 2 / size)
  return { size, score, from: bound(middle - reach), to: bound(middle + reach) }
}

export function textOf(sample: Sample | undefined): string {
  if (!sample) return '–'
  return `${percent(sample.score)} of ${sample.size} (${percent(sample.from)} to ${percent(sample.to)})`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
