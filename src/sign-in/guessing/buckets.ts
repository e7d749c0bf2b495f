import { createHash } from 'node:crypto'

/**
 * A GCRA bucket: it has `capacity` units, each try takes one, and a unit comes back after `stepSeconds`. It drains by itself, so no
 * try is remembered longer than it counts. Source: docs/decisions/passwords.md.
 */
export interface Bucket {
  /** SHA-256: the table holds no address that was typed. */
  readonly key: Buffer
  readonly capacity: number
  readonly stepSeconds: number
  /** After so many failures without a success, a unit takes longer to come back. */
  readonly slower?: { readonly afterFailures: number; readonly stepSeconds: number }
}

/** What a bucket's row says; of a bucket without a row, `unused`. */
export interface BucketState {
  /** Until every unit is back; negative where that is past. */
  readonly fullInSeconds: number
  /** Tries since the last success. */
  readonly failures: number
}

export const unused: BucketState = { fullInSeconds: 0, failures: 0 }

const minute = 60
export const codeCapacity = 5
const ofName = {
  capacity: 10,
  stepSeconds: 15 * minute,
  slower: { afterFailures: 100, stepSeconds: 60 * minute },
} as const

/** The buckets by what they count. `email` is normalised; whether an account has it makes no difference. */
export const buckets = {
  /** Tries of unknown devices. */
  name: (email: string): Bucket => ({ key: keyOf('name', email), ...ofName }),
  /** Tries of unknown devices in a network that the account signed in from. */
  nameInNetwork: (email: string, network: string): Bucket => ({ key: keyOf('name', email, network), ...ofName }),
  /** Tries with a device token of the account. `hash` is the stored form of the token. */
  device: (hash: Buffer): Bucket => ({
    key: keyOf('device', hash.toString('hex')),
    capacity: 10,
    stepSeconds: 10 * minute,
  }),
  /** Passwords and codes that are asked for again in an open session. */
  session: (sessionId: string): Bucket => ({
    key: keyOf('session', sessionId),
    capacity: 10,
    stepSeconds: 10 * minute,
  }),
  /** Codes of second factors, and recovery codes. */
  code: (accountId: string): Bucket => ({
    key: keyOf('code', accountId),
    capacity: codeCapacity,
    stepSeconds: 15 * minute,
  }),
  /** Tries of unknown devices in one network, under any name. */
  network: (network: string): Bucket => ({ key: keyOf('network', network), ...ofNetwork(network) }),
} as const

/** Failures without a success after which a device token is revoked or a session ends. */
export const failuresMax = 50
/** Failures without a success after which codes of authenticator apps are refused (NIST SP 800-63B §3.2.2). */
export const codeFailuresMax = 100
/** Units that a success returns to its networks: a typo or two followed by the right password cost nothing. */
export const unitsReturnedMax = 3

/** The seconds until the next try is allowed; zero or less where it is allowed now. */
export function waitSeconds(bucket: Bucket, { fullInSeconds, failures }: BucketState): number {
  return fullInSeconds - (bucket.capacity - 1) * stepSecondsAfter(bucket, failures)
}

/** The state after an allowed try. */
export function afterTry(bucket: Bucket, { fullInSeconds, failures }: BucketState): BucketState {
  return { fullInSeconds: Math.max(fullInSeconds, 0) + stepSecondsAfter(bucket, failures), failures: failures + 1 }
}

function stepSecondsAfter({ stepSeconds, slower }: Bucket, failures: number): number {
  return slower && failures >= slower.afterFailures ? slower.stepSeconds : stepSeconds
}

/** Wider networks hold more people, and more addresses of one attacker. */
function ofNetwork(network: string): { readonly capacity: number; readonly stepSeconds: number } {
  if (network.endsWith('/48') || network.endsWith('/24')) return { capacity: 400, stepSeconds: 0.75 }
  return network.endsWith('/56') ? { capacity: 200, stepSeconds: 1.5 } : { capacity: 100, stepSeconds: 3 }
}

function keyOf(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}
