import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../identity/caller.ts'
import type { RateLimits } from '../../platform/rate-limit/rate-limits.ts'
import { type Client, clientOf } from '../sessions/client.ts'

export type SignInLimits = RateLimits<'sign-ins'>

/** Rate limits every operation that takes a password or a code. The call is counted before its work. Problem: `rate_limited`. */
export interface Attempts {
  /** Before sign-in: counts by the client's network. */
  byNetwork<Result>(input: RouteInput, work: (client: Client) => Promise<Result>): Promise<Result>
  /** After sign-in: counts by the account. */
  byAccount<Result>(input: SignedInInput, work: (client: Client) => Promise<Result>): Promise<Result>
}

interface RouteInput {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

interface SignedInInput extends RouteInput {
  readonly caller: Caller
}

export function limitAttempts(limits: SignInLimits): Attempts {
  async function count<Result>(key: string, { reply }: RouteInput, work: () => Promise<Result>): Promise<Result> {
    reply.headers(await limits.take('sign-ins', key))
    return work()
  }

  return {
    byNetwork(input, work) {
      const client = clientOf(input.request)
      return count(client.network, input, () => work(client))
    },
    byAccount(input, work) {
      return count(input.caller.subject, input, () => work(clientOf(input.request)))
    },
  }
}
