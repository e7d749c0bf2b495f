import type { Logger } from 'pino'
import { Stripe } from 'stripe'
import { type ProblemCode, refuse } from '../../../platform/problems.ts'
import type { Secret } from '../../../platform/secret.ts'

/** Within the 10 s that a request may take, one try and its repetition. */
const timeoutMs = 3_000

/** A client of Stripe's API. `url` has no path. It tells Stripe nothing of this machine. */
export function newStripe(secretKey: Secret, url: string): Stripe {
  const { protocol, hostname, port } = new URL(url)
  return new Stripe(secretKey.open(), {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
  })
}

/** Whether a failed call says that there is no such object. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === 'resource_missing'
}

/**
 * What a failed call means to the caller. Logged are type, code and Stripe's id of the request: its messages repeat what was sent.
 * Problems: `processor_unavailable`, `processor_refused`.
 */
export function refuseStripe(error: unknown, log: Logger): never {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  const { type, code, requestId, statusCode } = error
  const problem: ProblemCode = isPassing(error) ? 'processor_unavailable' : 'processor_refused'
  log.warn({ type, code, stripeRequestId: requestId, status: statusCode }, 'Stripe could not be asked')
  return refuse(problem, { ...(problem === 'processor_unavailable' && { retryAfterSeconds: 5 }) })
}

function isPassing(error: InstanceType<typeof Stripe.errors.StripeError>): boolean {
  const { StripeConnectionError, StripeRateLimitError, StripeAPIError } = Stripe.errors
  return (
    error instanceof StripeConnectionError || error instanceof StripeRateLimitError || error instanceof StripeAPIError
  )
}
