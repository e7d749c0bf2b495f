/** One that was tried, or not. */
interface Tried {
  readonly status: 'killed' | 'survived' | 'timeout' | 'equivalent' | 'not run'
}

/** Below this number the score of a sample says nothing. */
const sizeMin = 50

/**
 * The score of those before the first that was not run, in an order of chance, with the bounds within which that of all lies with a
 * probability of 95 % (Wilson's interval: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927), p. 209). Nothing where all were run, or few.
 */
export function sampleOf(drawn: readonly Tried[]): string {
  const end = drawn.findIndex(({ status }) => status === 'not run')
  const counted = drawn.slice(0, Math.max(end, 0)).filter(({ status }) => status !== 'equivalent')
  const size = counted.length
  if (size < sizeMin) return '–'
  const score = counted.filter(({ status }) => status !== 'survived').length / size
  const z = 1.96
  const middle = score + z ** 2 / (2 * size)
  const reach = z * Math.sqrt((score * (1 - score) + z ** 2 / (4 * size)) / size)
  const bound = (value: number) => percent(value / (1 + z ** 2 / size))
  return `${percent(score)} of ${size} (${bound(middle - reach)} to ${bound(middle + reach)})`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
