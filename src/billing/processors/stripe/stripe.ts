import type { Logger } from 'pino'
import { Stripe } from 'stripe'
import type { Clock } from '../../../platform/clock.ts'
import { refuse } from '../../../platform/problems.ts'
import type { Secret } from '../../../platform/secret.ts'
import type { News, Processor } from '../../events.ts'
import { exactText, parseSigned } from '../../signed.ts'
import { newsOf } from './events.ts'
import { stripeSales } from './sales.ts'
import { checkSignature } from './signature.ts'
import { stripeSource } from './source.ts'

export interface StripeOptions {
  /** Signing secrets of the webhook, separated by commas. */
  readonly webhookSecrets?: Secret | undefined
  readonly client?: Stripe | undefined
  readonly log: Logger
  readonly now: Clock
}

/** Stripe as a payment processor. Without a client it can be listened to only. */
export function stripeProcessor({ webhookSecrets, client, log, now }: StripeOptions): Processor {
  return {
    id: 'stripe',
    ...(client && { source: stripeSource(client, log), sales: stripeSales(client, log) }),
    read(bytes, headers): News {
      const secrets = webhookSecrets ?? refuse('webhook_unsigned')
      const text = exactText(bytes)
      checkSignature(Stripe.webhooks, { text, header: headers['stripe-signature'], secrets, now })
      return newsOf(parseSigned(text))
    },
  }
}
