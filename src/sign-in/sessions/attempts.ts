import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { atMost } from '../../platform/cache-bounds.ts'
import type { Clock } from '../../platform/clock.ts'
import type { UserCaller } from '../../platform/http/caller.ts'
import { type Consumed, enforce, type LimitPolicy } from '../../platform/rate-limits.ts'
import type { Secret } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import type { CallLimits } from './allow.ts'
import {
  type BucketState,
  type CallBucket,
  callBucket,
  readStates,
  type States,
  takeUnits,
  unusedState,
  waitSeconds,
} from './buckets.ts'
import { type Client, clientOf, isKnownDevice, type NamedDevice } from './client.ts'

/**
 * Rate limits the operations that take a password or a code. Each call is counted before its work starts. Problem:
 * `rate_limited`.
 */
export interface Attempts {
  /** Without a session: counts per known device, otherwise per network of the client. */
  bySender<Result>(
    input: RouteInput,
    device: NamedDevice | undefined,
    work: (client: Client) => Promise<Result>,
  ): Promise<Result>
  /** In a session: counts per account. */
  byAccount<Result>(input: SignedInInput, work: (client: Client) => Promise<Result>): Promise<Result>
  /** A sign-in with a password, which `allow` counts when its turn has come. */
  signIn<Result>(
    input: RouteInput,
    deviceToken: Secret | undefined,
    work: (client: Client, calls: CallLimits) => Promise<Result>,
  ): Promise<Result>
}

interface RouteInput {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

interface SignedInInput extends RouteInput {
  readonly caller: UserCaller
}

/** Of one known device. No user types faster. */
const devicePerMinute = 10
/** Maximum number of remembered buckets. Other exhausted ones are read from the database. */
const exhaustedMax = 10_000

export function limitAttempts({
  database,
  settings: { signInsPerMinute },
  now,
}: Pick<BuiltInIssuer, 'database' | 'now'> & {
  readonly settings: Pick<BuiltInIssuer['settings'], 'signInsPerMinute'>
}): Attempts {
  const memory = createMemory(now)
  const limitsOf = (reply: FastifyReply) => callLimitsOf(reply, signInsPerMinute, memory)

  async function count(limits: CallLimits, charged: readonly CallBucket[]): Promise<void> {
    limits.requireUnits(charged, memory.states)
    const after = await takeUnits(database, charged)
    if (after) return limits.counted(charged, after)
    limits.requireUnits(charged, await readStates(database, charged))
    // A unit came back between the two statements.
    return count(limits, charged)
  }

  return {
    async bySender({ request, reply }, device, work) {
      const client = clientOf(request)
      const limits = limitsOf(reply)
      const isKnown = device !== undefined && (await isKnownDevice(database, device))
      await count(limits, isKnown ? [limits.ofDevice(device.hash)] : limits.ofNetworks(client.networks))
      return work(client)
    },
    async byAccount({ request, reply, caller }, work) {
      await count(limitsOf(reply), [callBucket('sign-ins', signInsPerMinute, caller.subject)])
      return work(clientOf(request))
    },
    async signIn({ request, reply }, deviceToken, work) {
      const client = clientOf(request)
      const limits = limitsOf(reply)
      // A known device has a limit of its own, and a statement must tell whether it is known.
      if (!deviceToken) limits.requireUnits(limits.ofNetworks(client.networks), memory.states)
      return work(client, limits)
    },
  }
}

/**
 * The exhausted buckets that this node knows. No unit of them comes back earlier, so that a flood needs no statement.
 */
interface Memory {
  remember(bucket: CallBucket, state: BucketState): void
  /** Buckets that are not remembered seem unused. */
  readonly states: States
}

function createMemory(now: Clock): Memory {
  /** For each of these buckets, when its next unit comes back. */
  const untilMs = new LRUCache<string, number>(atMost(exhaustedMax))
  return {
    remember(bucket, state) {
      const seconds = waitSeconds(bucket, state)
      if (seconds > 0) untilMs.set(bucket.key.toString('hex'), now() + seconds * 1_000)
    },
    states({ key, capacity, stepSeconds }) {
      const seconds = ((untilMs.get(key.toString('hex')) ?? 0) - now()) / 1_000
      return seconds > 0 ? { fullInSeconds: seconds + (capacity - 1) * stepSeconds, failures: 0 } : unusedState
    },
  }
}

/** Sends the headers of a counted call with `reply`. */
function callLimitsOf(reply: FastifyReply, perMinute: number, { remember }: Memory): CallLimits {
  return {
    ofDevice: (hash) => callBucket('device-sign-ins', devicePerMinute, hash.toString('hex')),
    ofNetworks: (networks) => ofNetworks(networks, perMinute),
    requireUnits(charged, states) {
      for (const bucket of charged) {
        const state = states(bucket)
        if (waitSeconds(bucket, state) <= 0) continue
        remember(bucket, state)
        enforce(bucket.name, policyOf(bucket), { ...consumedOf(bucket, state), isOver: true })
      }
    },
    counted(charged, states) {
      for (const bucket of charged) remember(bucket, states(bucket))
      const [first] = charged
      if (first) reply.headers(enforce(first.name, policyOf(first), consumedOf(first, states(first))))
    },
  }
}

/**
 * The narrowest and the widest network. Empty behind an untrusted proxy, where all clients share one address and a
 * limit would let one of them block the others.
 */
function ofNetworks(networks: readonly string[], perMinute: number): readonly CallBucket[] {
  const [network] = networks
  const widest = networks.at(-1)
  if (network === undefined || widest === undefined) return []
  // One customer may own a whole /48.
  return [callBucket('sign-ins', perMinute, network), callBucket('wide-sign-ins', 4 * perMinute, widest)]
}

function policyOf({ capacity }: CallBucket): LimitPolicy {
  return { quota: capacity, windowSeconds: 60 }
}

/** A millionth of a unit is a rounding error of the database, which counts microseconds. */
function consumedOf(bucket: CallBucket, state: BucketState): Consumed {
  const used = Math.ceil(state.fullInSeconds / bucket.stepSeconds - 1e-6)
  return {
    isOver: false,
    remaining: Math.max(0, bucket.capacity - used),
    msBeforeNext: waitSeconds(bucket, state) * 1_000,
    msBeforeAll: state.fullInSeconds * 1_000,
  }
}
