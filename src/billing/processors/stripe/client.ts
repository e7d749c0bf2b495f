import type { Logger } from 'pino'
import { Stripe } from 'stripe'
import { outgoingAgent } from '../../../platform/outgoing/agent.ts'
import type { Proxies } from '../../../platform/outgoing/proxies.ts'
import { proxyFaultOf } from '../../../platform/outgoing/tunnel.ts'
import { type ProblemCode, refuse } from '../../../platform/problems.ts'
import type { Secret } from '../../../platform/secret.ts'

/** Two attempts fit into the 10 s of a request. */
const timeoutMs = 3_000

/** A Stripe API client without telemetry. `url` has no path. */
export function newStripe(secretKey: Secret, url: string, proxies: Proxies): Stripe {
  const target = new URL(url)
  const { protocol, hostname, port } = target
  return new Stripe(secretKey.open(), {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout: timeoutMs,
    httpAgent: outgoingAgent(proxies, target, timeoutMs),
    maxNetworkRetries: 1,
    telemetry: false,
  })
}

/** Whether a call failed because the object does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === 'resource_missing'
}

/** Turns a failed call into a problem. Throws `processor_unavailable`, `processor_refused`. */
export function refuseStripe(error: unknown, log: Logger): never {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  logStripe(error, log)
  const problem: ProblemCode = isTemporary(error) ? 'processor_unavailable' : 'processor_refused'
  return refuse(problem, { ...(problem === 'processor_unavailable' && { retryAfterSeconds: 5 }) })
}

/** The log gets the type, the code and Stripe's request id, but not the message, which repeats the request. */
export function logStripe(error: InstanceType<typeof Stripe.errors.StripeError>, log: Logger): void {
  const { type, code, requestId, statusCode, detail } = error
  const fields = { type, code, stripeRequestId: requestId, status: statusCode, ...proxyFaultOf(detail) }
  log.warn(fields, 'a call to Stripe failed')
}

function isTemporary(error: InstanceType<typeof Stripe.errors.StripeError>): boolean {
  const { StripeConnectionError, StripeRateLimitError, StripeAPIError } = Stripe.errors
  return (
    error instanceof StripeConnectionError || error instanceof StripeRateLimitError || error instanceof StripeAPIError
  )
}
