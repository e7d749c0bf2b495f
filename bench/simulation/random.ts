/** Numbers that look random, and are the same again for the same seed. */
export interface Random {
  /** From 0 up to, and without, 1. */
  share(): number
  /** A whole number below the bound. */
  below(bound: number): number
  happens(probability: number): boolean
  /** The time until the next of events that arrive independently of each other (Poisson). */
  exponential(mean: number): number
  /** A time of which half are below the median, and 99 of 100 below `p99`: log-normal, so that a few take very long. */
  skewed(spread: Latency): number
}

export interface Latency {
  readonly p50: number
  readonly p99: number
}

/** Of the standard normal distribution, 99 of 100 are below it. */
const normalP99 = 2.326

export function createRandom(seed: number): Random {
  let state = seed >>> 0

  /** mulberry32: small, and the same everywhere. */
  function share(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Box and Muller. */
  function normal(): number {
    return Math.sqrt(-2 * Math.log(1 - share())) * Math.cos(2 * Math.PI * share())
  }

  return {
    share,
    below: (bound) => Math.floor(share() * bound),
    happens: (probability) => share() < probability,
    exponential: (mean) => -Math.log(1 - share()) * mean,
    skewed: ({ p50, p99 }) => p50 * Math.exp((normal() * Math.log(p99 / p50)) / normalP99),
  }
}
