import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UserCaller } from '../../platform/http/caller.ts'
import type { LimitHeaders } from '../../platform/rate-limit/policy.ts'
import type { RateLimits } from '../../platform/rate-limit/rate-limits.ts'
import { Secret } from '../../platform/secret.ts'
import { type Client, clientOf } from './client.ts'

export type SignInLimits = RateLimits<'sign-ins' | 'wide-sign-ins' | 'device-sign-ins'>

/** Rate limits every operation that takes a password or a code. The call is counted before its work. Problem: `rate_limited`. */
export interface Attempts {
  /** Before sign-in: counts by the device that the account knows, otherwise by the client's network. */
  bySender<Result>(
    input: RouteInput,
    findDevice: () => Promise<string | undefined>,
    work: (client: Client, sender: Sender) => Promise<Result>,
  ): Promise<Result>
  /** After sign-in: counts by the account. */
  byAccount<Result>(input: SignedInInput, work: (client: Client) => Promise<Result>): Promise<Result>
}

interface Sender {
  /** The account knows the client's device. */
  readonly isKnown: boolean
}

interface RouteInput {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

interface SignedInInput extends RouteInput {
  readonly caller: UserCaller
}

export function limitAttempts(limits: SignInLimits): Attempts {
  async function limitSender(client: Client, deviceId: string | undefined): Promise<LimitHeaders | undefined> {
    if (deviceId !== undefined) return limits.take('device-sign-ins', deviceId)
    const [network] = client.networks
    const widest = client.networks.at(-1)
    // All clients of a proxy that is not trusted have its address: one of them would use up the limit of all.
    if (network === undefined || widest === undefined) return undefined
    // The refused attempts of one network must not use up the limit of its neighbours.
    return limits.takeBoth({ name: 'sign-ins', key: network }, { name: 'wide-sign-ins', key: widest })
  }

  return {
    async bySender({ request, reply }, findDevice, work) {
      const client = clientOf(request)
      const deviceId = await findDevice()
      const headers = await limitSender(client, deviceId)
      if (headers) reply.headers(headers)
      return work(client, { isKnown: deviceId !== undefined })
    },
    async byAccount({ request, reply, caller }, work) {
      reply.headers(await limits.take('sign-ins', caller.subject))
      return work(clientOf(request))
    },
  }
}

/** 204: the account is created, without a session. */
export function replyWithoutSession({ reply }: { readonly reply: FastifyReply }): undefined {
  reply.code(204)
}

export const noDevice = async () => undefined

export function deviceTokenOf({ device_token }: { readonly device_token?: string }): Secret | undefined {
  return device_token === undefined ? undefined : new Secret(device_token)
}
