import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { networksOf } from '../../src/platform/http/client-address.ts'
import {
  afterTry,
  type Bucket,
  type BucketState,
  buckets,
  unusedState,
  waitSeconds,
} from '../../src/sign-in/sessions/buckets.ts'

/** A bucket with a fake clock, in seconds. */
function played(bucket: Bucket) {
  let state: BucketState = unusedState
  let fullAt = 0
  const at = (now: number): BucketState => ({ ...state, fullInSeconds: fullAt - now })
  return {
    wait: (now: number) => waitSeconds(bucket, at(now)),
    /** Whether a failing attempt is allowed. */
    tries(now: number): boolean {
      if (waitSeconds(bucket, at(now)) > 0) return false
      state = afterTry(bucket, at(now))
      fullAt = now + state.fullInSeconds
      return true
    },
    failures: () => state.failures,
  }
}

const day = 86_400
const name = buckets.name('ada@example.com')
const everyBucket: [string, Bucket][] = [
  ['an address', name],
  ['a device', buckets.device(Buffer.from('x'))],
  ['a session', buckets.session('x')],
  ['codes', buckets.code('x')],
  ...networksOf('192.0.2.1').map((network): [string, Bucket] => [network, buckets.network(network)]),
  ...networksOf('2001:db8::1').map((network): [string, Bucket] => [network, buckets.network(network)]),
]

/** The times of the attempts of an attacker who waits only as long as required. */
function greedy(bucket: Bucket, seconds: number): number[] {
  const own = played(bucket)
  const times: number[] = []
  for (let now = 0; now < seconds; now += Math.max(0, own.wait(now))) if (own.tries(now)) times.push(now)
  return times
}

describe('the maximum number of guesses', () => {
  test('for one email: 108 on the first day, 24 on each later day, 8,844 in a year', () => {
    const times = greedy(name, 365 * day)
    const of = (nth: number) => times.filter((time) => Math.floor(time / day) === nth).length
    expect([of(0), of(1), of(100), times.length]).toEqual([108, 24, 24, 8_844])
  })

  test.each([
    ['192.0.2.1', 28_900],
    ['192.0.2.0/24', 115_600],
    ['2001:db8::/64', 28_900],
    ['2001:db8::/56', 57_800],
    ['2001:db8::/48', 115_600],
  ])('from %s for all emails: %i on the first day', (network, guesses) => {
    // The last one is at the very end.
    expect(greedy(buckets.network(network), day + 0.01)).toHaveLength(guesses)
  })
})

test('20,000 sign-ins an hour from one address, every fifth mistyped first, are never rate limited in eight hours', () => {
  const [own, wider] = networksOf('192.0.2.1').map((network) => {
    const bucket = buckets.network(network)
    let fullAt = 0
    return {
      isFree: (now: number) => fullAt - now <= (bucket.capacity - 1) * bucket.stepSeconds,
      take(now: number) {
        fullAt = Math.max(fullAt, now) + bucket.stepSeconds
      },
      giveBack(units: number) {
        fullAt -= units * bucket.stepSeconds
      },
    }
  })
  if (!own || !wider) throw new Error('An IPv4 address has two networks.')
  // A user who mistypes needs ten seconds for the second attempt, so that other attempts come in between.
  const tries = Array.from({ length: 160_000 }, (_, n) => n).flatMap((n) =>
    n % 5 === 0
      ? [
          { now: n * 0.18, isRight: false, units: 0 },
          { now: n * 0.18 + 10, isRight: true, units: 2 },
        ]
      : [{ now: n * 0.18, isRight: true, units: 1 }],
  )
  let refused = 0
  for (const { now, isRight, units } of tries.sort((a, b) => a.now - b.now)) {
    if (!own.isFree(now) || !wider.isFree(now)) refused += 1
    for (const network of [own, wider]) {
      network.take(now)
      if (isRight) network.giveBack(units)
    }
  }
  expect(refused).toBe(0)
})

describe('for every history of attempts', () => {
  const history = fc.array(fc.integer({ min: 0, max: 7_200 }), { minLength: 1, maxLength: 400 })

  test('any t seconds allow at most 10 + t/900 attempts for one email, and after 100 failures 10 + t/3600', () => {
    fc.assert(
      fc.property(history, (pauses) => {
        const own = played(name)
        const judged: number[] = []
        let now = 0
        for (const pause of pauses) {
          now += pause
          while (own.tries(now)) judged.push(now)
        }
        const holds = (times: readonly number[], step: number) => {
          for (let first = 0; first < times.length; first += 1)
            for (let last = first; last < times.length; last += 7) {
              const window = (times[last] ?? 0) - (times[first] ?? 0)
              expect(last - first + 1).toBeLessThanOrEqual(10 + window / step + 1e-6)
            }
        }
        holds(judged.slice(0, 100), 900)
        holds(judged.slice(100), 3_600)
      }),
      { numRuns: 30 },
    )
  })

  test.each(everyBucket)('the next attempt is allowed exactly after the wait: %s', (_what, bucket) => {
    fc.assert(
      fc.property(history, (pauses) => {
        const own = played(bucket)
        let now = 0
        for (const pause of pauses) {
          now += pause / 100
          while (own.tries(now));
          const wait = own.wait(now)
          expect(wait).toBeGreaterThan(0)
          expect(own.wait(now + wait - 0.01)).toBeGreaterThan(0)
          expect(own.wait(now + wait)).toBeLessThanOrEqual(1e-6)
        }
      }),
      { numRuns: 20 },
    )
  })
})

describe('networks', () => {
  const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 })
  const groups = (address: Uint8Array) =>
    Array.from({ length: 8 }, (_, n) => ((address[2 * n] ?? 0) << 8) + (address[2 * n + 1] ?? 0))

  test('every spelling of an IP address has the same networks', () => {
    fc.assert(
      fc.property(bytes, (address) => {
        const plain = groups(address).map((group) => group.toString(16))
        const padded = plain.map((group) => group.padStart(4, '0').toUpperCase())
        expect(networksOf(padded.join(':'))).toEqual(networksOf(plain.join(':')))
        const v4 = [...address.slice(12)].join('.')
        expect(networksOf(`::ffff:${v4}`)).toEqual(networksOf(v4))
      }),
    )
  })

  test('each network is part of its wider ones, and addresses that differ in the prefix share none', () => {
    fc.assert(
      fc.property(bytes, bytes, (address, other) => {
        const near = Uint8Array.from([...address.slice(0, 8), ...other.slice(8)])
        const [n64, n56, n48] = networksOf(
          groups(address)
            .map((group) => group.toString(16))
            .join(':'),
        )
        const [o64, o56, o48] = networksOf(
          groups(near)
            .map((group) => group.toString(16))
            .join(':'),
        )
        expect([o64, o56, o48]).toEqual([n64, n56, n48])
        for (const [bits, index, network] of [
          [56, 6, n56],
          [48, 5, n48],
        ] as const) {
          const sibling = Uint8Array.from(address)
          sibling[index + 1] = (sibling[index + 1] ?? 0) ^ 1
          const [fine, ...wider] = networksOf(
            groups(sibling)
              .map((group) => group.toString(16))
              .join(':'),
          )
          expect(fine).not.toBe(n64)
          expect(wider, String(bits)).toContain(network)
        }
      }),
    )
  })
})

test('bucket keys never change, so that nodes of different releases share their counts', () => {
  const hash = Buffer.from('0123')
  const keys = [
    [buckets.name('ada@example.com'), ['name', 'ada@example.com']],
    [buckets.nameInNetwork('ada@example.com', '192.0.2.0/24'), ['name', 'ada@example.com', '192.0.2.0/24']],
    [buckets.device(hash), ['device', hash.toString('hex')]],
    [buckets.session('0197b2a4'), ['session', '0197b2a4']],
    [buckets.code('0197b2a4'), ['code', '0197b2a4']],
    [buckets.network('192.0.2.0/24'), ['network', '192.0.2.0/24']],
  ] as const
  for (const [{ key }, parts] of keys)
    expect(key, parts.join(' ')).toEqual(createHash('sha256').update(JSON.stringify(parts)).digest())
})
