import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UserCaller } from '../../platform/http/caller.ts'
import type { LimitHeaders } from '../../platform/rate-limit/policy.ts'
import type { RateLimits } from '../../platform/rate-limit/rate-limits.ts'
import { Secret } from '../../platform/secret.ts'
import { type Client, clientOf } from './client.ts'

export type SignInLimits = RateLimits<'sign-ins' | 'wide-sign-ins' | 'device-sign-ins'>

/**
 * Rate limits the operations that take a password or a code. Counts the call before the work starts. Problem:
 * `rate_limited`.
 */
export interface Attempts {
  /** Before sign-in: counts per known device, otherwise per network of the client. */
  bySender<Result>(
    input: RouteInput,
    findDevice: () => Promise<string | undefined>,
    work: (client: Client, sender: Sender) => Promise<Result>,
  ): Promise<Result>
  /** After sign-in: counts per account. */
  byAccount<Result>(input: SignedInInput, work: (client: Client) => Promise<Result>): Promise<Result>
}

interface Sender {
  /** Whether the account knows the client's device. */
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
    // All clients behind an untrusted proxy share its address. A limit would let one of them block the others.
    if (network === undefined || widest === undefined) return undefined
    // Rejected attempts of a network must not use up the limit of the wider network.
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

/** Sends 204: the account is created, without a session. */
export function replyWithoutSession({ reply }: { readonly reply: FastifyReply }): undefined {
  reply.code(204)
}

export const noDevice = async () => undefined

export function deviceTokenOf({ device_token }: { readonly device_token?: string }): Secret | undefined {
  return device_token === undefined ? undefined : new Secret(device_token)
}
