import type { Logger } from 'pino'
import { Stripe } from 'stripe'
import type { Clock } from '../../clock.ts'
import { refuse } from '../../problems.ts'
import type { Secret } from '../../secret.ts'
import type { News, Processor } from '../news.ts'
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
      return newsOf(parse(text))
    },
  }
}

/** Text that has these bytes and no others: a decoder that drops or replaces some would let them differ from what was signed. */
function exactText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    return refuse('webhook_unsigned', { cause })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    return refuse('body_malformed', { cause })
  }
}
