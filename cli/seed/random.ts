/** Reproducible pseudo-random numbers: the same seed gives the same numbers. Not for secrets. */
export interface Random {
  /** 0 to `below` - 1. */
  integer(below: number): number
  chance(probability: number): boolean
  pick(from: readonly string[]): string
  /** Picks a name by weight, such as `{ often: 9, seldom: 1 }`. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name
  /** Lowercase hexadecimal digits. */
  hex(digits: number): string
  /** UUIDv7 (RFC 9562 §5.7) of an instant, milliseconds since 1970. */
  uuid(atMs: number): string
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0

  /** Mulberry32: from 0 up to, but not including, 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const integer = (below: number) => Math.floor(next() * below)
  const hex = (digits: number) => Array.from({ length: digits }, () => integer(16).toString(16)).join('')
  return {
    integer,
    chance: (probability) => next() < probability,
    pick: (from) => from[integer(from.length)] ?? '',
    weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
      // Trust boundary: `Object.keys` returns string[], although these are exactly the names of the type.
      const names = Object.keys(weights) as Name[]
      let left = next() * names.reduce((sum, name) => sum + weights[name], 0)
      for (const name of names) {
        left -= weights[name]
        if (left < 0) return name
      }
      throw new TypeError('weighted needs at least one positive weight')
    },
    hex,
    uuid(atMs) {
      const time = Math.floor(atMs).toString(16).padStart(12, '0')
      const variant = (8 + integer(4)).toString(16)
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant}${hex(3)}-${hex(12)}`
    },
  }
}
